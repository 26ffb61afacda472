#include "support/store_dump.h"

#include <algorithm>
#include <boost/json.hpp>
#include <ranges>
#include <sstream>

#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "store/load_document.h"
#include "store/memory/store.h"
#include "store/wait_changes.h"
#include "support/dump_table.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

const std::vector<Column> event_columns = {
    {Kind::id, "event_id"},          {Kind::text, "name"},
    {Kind::id, "target_id"},         {Kind::text, "value"},
    {Kind::text, "on_target_ended"}, {Kind::flag, "keep"},
    {Kind::time, "accepted_at"},     {Kind::time, "expires_at"},
    {Kind::id, "operation_id"},      {Kind::text, "correlation"},
    {Kind::text, "tenant"},          {Kind::text, "hold"}};

std::vector<Table> state_tables() {
    return {
        {"definitions",
         {{Kind::text, "tenant"},
          {Kind::text, "key"},
          {Kind::number, "version"},
          {Kind::text, "schema"},
          {Kind::digest, "checksum"},
          {Kind::time, "created_at"}}},
        {"history",
         {{Kind::id, "instance_id"},
          {Kind::number, "version"},
          {Kind::text, "type"},
          {Kind::text, "payload"},
          {Kind::text, "state_metadata"},
          {Kind::text, "tenant"},
          {Kind::text, "user_id"},
          {Kind::text, "memberships"},
          {Kind::id, "operation_id"},
          {Kind::time, "at"},
          {Kind::digest, "hash"}}},
        {"conflicts",
         {{Kind::id, "operation_id"},
          {Kind::id, "instance_id"},
          {Kind::number, "expected"},
          {Kind::number, "actual"},
          {Kind::list, "paths"},
          {Kind::text, "resolution"},
          {Kind::time, "at"}}},
        {"checkpoints",
         {{Kind::instance, ""},
          {Kind::text, "name"},
          {Kind::number, "version"},
          {Kind::text, "state"},
          {Kind::text, "state_metadata"},
          {Kind::time, "created_at"}}},
        {"operations",
         {{Kind::text, "tenant"},
          {Kind::text, "client_key"},
          {Kind::digest, "request"},
          {Kind::text, "outcome"},
          {Kind::id, "operation_id"},
          {Kind::time, "at"}}},
    };
}

std::vector<Table> event_tables() {
    std::vector<Column> dead = event_columns;
    dead.push_back({Kind::text, "target_status"});
    dead.push_back({Kind::time, "ended_at"});
    return {
        {"pending_events", event_columns},
        {"dead_events", dead},
        {"event_fates",
         {{Kind::id, "event_id"},
          {Kind::id, "instance_id"},
          {Kind::text, "name"},
          {Kind::text, "fate"},
          {Kind::number, "activity_index"},
          {Kind::time, "at"},
          {Kind::text, "tenant"}}},
        {"steps",
         {{Kind::instance, ""},
          {Kind::number, "activity_index"},
          {Kind::text, "name"},
          {Kind::digest, "input_hash"},
          {Kind::text, "result"},
          {Kind::text, "value"},
          {Kind::time, "at"}}},
        {"winning_conditions",
         {{Kind::instance, ""},
          {Kind::number, "activity_index"},
          {Kind::text, "type"},
          {Kind::text, "name"}}},
        {"waits",
         {{Kind::text, "tenant"},
          {Kind::text, "name"},
          {Kind::text, "correlation"},
          {Kind::time, "began_at"},
          {Kind::id, "operation_id"},
          {Kind::instance, ""},
          {Kind::id, "token"}}},
        {"completion_waits",
         {{Kind::id, "awaited_id"},
          {Kind::time, "began_at"},
          {Kind::id, "operation_id"},
          {Kind::instance, ""},
          {Kind::id, "token"}}},
        {"timers", {{Kind::instance, ""}, {Kind::id, "token"}, {Kind::time, "due_at"}}},
        {"parallel_waits",
         {{Kind::instance, ""}, {Kind::id, "token"}, {Kind::text, "wait"}},
         // A few are in the row of their instance.
         "(select instance, token, wait from parallel_waits union all "
         "select i.seq, json_extract(each.value, '$.token'), each.value "
         "from instances i, json_each(i.waiting_json) each "
         "where json_type(i.waiting_json) = 'array')"},
    };
}

std::vector<Table> signal_tables() {
    return {
        {"signal_queue",
         {{Kind::id, "signal_id"},
          {Kind::id, "instance_id"},
          {Kind::text, "type"},
          {Kind::text, "program"},
          {Kind::time, "enqueued_at"},
          {Kind::time, "visible_at"},
          {Kind::id, "leased_by"},
          {Kind::number, "epoch"},
          {Kind::number, "attempts"},
          {Kind::digest, "envelope"}}},
        {"schedule_queue",
         {{Kind::id, "signal_id"},
          {Kind::id, "instance_id"},
          {Kind::text, "type"},
          {Kind::text, "program"},
          {Kind::time, "enqueued_at"},
          {Kind::time, "due_at"},
          {Kind::digest, "envelope"}}},
        {"dead_letters",
         {{Kind::id, "signal_id"},
          {Kind::id, "instance_id"},
          {Kind::text, "type"},
          {Kind::text, "program"},
          {Kind::time, "enqueued_at"},
          {Kind::number, "epoch"},
          {Kind::number, "attempts"},
          {Kind::digest, "envelope"},
          {Kind::text, "reason"},
          {Kind::text, "detail"},
          {Kind::text, "node"},
          {Kind::time, "at"},
          {Kind::text, "tenant"}}},
        {"processed_signals",
         {{Kind::id, "instance_id"}, {Kind::id, "signal_id"}, {Kind::time, "at"}}},
    };
}

std::string sqlite_text(const Column& column) {
    const auto hex = [](const std::string& value) {
        return "case typeof(" + value + ") when 'blob' then lower(hex(" + value +
               ")) when 'text' then replace(" + value + ", '-', '') end";
    };
    if (column.kind == Kind::instance)
        return hex("(select id from instances where seq = instance)");
    if (column.kind == Kind::id || column.kind == Kind::digest) return hex(column.name);
    return column.name;
}

std::string postgres_text(const Column& column) {
    const std::string& name = column.name;
    switch (column.kind) {
        case Kind::id: return "replace(" + name + "::text, '-', '')";
        case Kind::instance: return "replace(instance_id::text, '-', '')";
        case Kind::digest: return "encode(" + name + ", 'hex')";
        case Kind::time: return "(extract(epoch from " + name + ") * 1000000)::bigint::text";
        case Kind::flag: return name + "::integer::text";
        case Kind::list: return "array_to_json(" + name + ")::text";
        default: return name + "::text";
    }
}

std::vector<std::string> sorted_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    std::ranges::sort(lines);
    return lines;
}

std::vector<std::string> rows_of(const StorePlace& place, const Table& table) {
    const bool postgres = place.kind() == "postgres";
    std::string row;
    for (const Column& column : table.columns)
        row += (row.empty() ? "" : " || '|' || ") + std::string("coalesce(") +
               (postgres ? postgres_text(column) : sqlite_text(column)) + ", '" + nothing + "')";
    const std::string all = postgres ? "string_agg(line, chr(10))" : "group_concat(line, char(10))";
    const bool elsewhere = !postgres && !table.on_sqlite.empty();
    return sorted_lines(place.query("select " + all + " from (select " + row + " as line from " +
                                    (elsewhere ? table.on_sqlite : table.name) + ") as lines"));
}

Line event_line(const Event& event) {
    return Line()
        .add(event.id)
        .add(event.name)
        .add(event.target)
        .add(event.value.text())
        .add(name_of(event.on_target_ended))
        .add(event.keep == Keep::yes ? std::uint64_t{1} : std::uint64_t{0})
        .add(event.accepted_at)
        .add(event.expires_at)
        .add(event.operation)
        .add(event.correlation)
        .add(event.tenant)
        .add(event.hold == Hold::none ? nothing : name_of(event.hold));
}

void dump_events(const memory::Tables& tables, Dump& dump) {
    for (const auto& [id, event] : tables.pending)
        dump["pending_events"].push_back(event_line(event));
    for (const auto& [id, dead] : tables.dead)
        dump["dead_events"].push_back(
            event_line(dead.event).add(name_of(dead.target_status)).add(dead.ended_at));
    for (const auto& [id, rows] : tables.fates)
        for (const FateRow& row : rows)
            dump["event_fates"].push_back(Line()
                                              .add(row.event)
                                              .add(row.instance.value_or(InstanceId{}))
                                              .add(row.name)
                                              .add(name_of(row.fate))
                                              .add(row.index)
                                              .add(row.at)
                                              .add(row.tenant));
}

void dump_wait(const Instance& of, const Waiting& waiting, Dump& dump) {
    const InstanceId& id = of.id;
    const auto add = [&](const char* table, Line line) {
        dump[table].push_back(
            line.add(waiting.began_at).add(waiting.operation).add(id).add(waiting.token));
    };
    for (const EventKey& key : waiting.wait.names | std::views::filter(is_looked_up))
        add("waits", Line().add(of.tenant).add(key.name).add(key.correlation));
    for (const InstanceId& other : waiting.wait.workflows)
        add("completion_waits", Line().add(other));
    if (waiting.wait.until)
        dump["timers"].push_back(Line().add(id).add(waiting.token).add(*waiting.wait.until));
}

void dump_waits(const memory::Tables& tables, Dump& dump) {
    for (const auto& [id, row] : tables.instances) {
        for (const Waiting& waiting : registered_waits(row.instance))
            dump_wait(row.instance, waiting, dump);
        if (row.instance.waits.size() < 2) continue;
        for (const Waiting& waiting : row.instance.waits)
            dump["parallel_waits"].push_back(
                Line().add(id).add(waiting.token).add(waiting_text(waiting)));
    }
}

void dump_journal(const memory::Tables& tables, Dump& dump) {
    for (const auto& [key, step] : tables.steps)
        dump["steps"].push_back(
            Line()
                .add(step.instance)
                .add(step.index)
                .add(step.name)
                .add(step.input_hash)
                .add(std::string_view(step.result == StepResult::value ? "value" : "error"))
                .add(step.value.text())
                .add(step.at));
    for (const auto& [key, winner] : tables.winners)
        dump["winning_conditions"].push_back(Line()
                                                 .add(winner.instance)
                                                 .add(winner.index)
                                                 .add(name_of(winner.type))
                                                 .add(winner.name));
}

std::string hex_of(const std::string& bytes) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

Line signal_line(const SignalRow& row) {
    return Line()
        .add(row.id)
        .add(row.instance)
        .add(name_of(row.type))
        .add(row.program)
        .add(row.enqueued_at);
}

void dump_signals(const memory::Tables& tables, Dump& dump) {
    for (const auto& [id, row] : tables.queue)
        dump["signal_queue"].push_back(signal_line(row)
                                           .add(row.visible_at)
                                           .add(row.leased_by)
                                           .add(row.epoch)
                                           .add(std::uint64_t{row.attempts})
                                           .add(hex_of(row.envelope)));
    for (const auto& [id, scheduled] : tables.schedule)
        dump["schedule_queue"].push_back(signal_line(scheduled.signal)
                                             .add(scheduled.due_at)
                                             .add(hex_of(scheduled.signal.envelope)));
    for (const auto& [id, letter] : tables.dead_letters)
        dump["dead_letters"].push_back(signal_line(letter.signal)
                                           .add(letter.signal.epoch)
                                           .add(std::uint64_t{letter.signal.attempts})
                                           .add(hex_of(letter.signal.envelope))
                                           .add(name_of(letter.reason))
                                           .add(letter.detail)
                                           .add(letter.node)
                                           .add(letter.at)
                                           .add(letter.tenant));
    for (const auto& [key, at] : tables.processed)
        dump["processed_signals"].push_back(Line().add(key.first).add(key.second).add(at));
}

void dump_past(const memory::Tables& tables, Dump& dump) {
    for (const auto& [key, definition] : tables.definitions)
        dump["definitions"].push_back(Line()
                                          .add(key.tenant)
                                          .add(key.ref.key)
                                          .add(std::uint64_t{key.ref.version})
                                          .add(definition->schema)
                                          .add(definition->checksum)
                                          .add(definition->created_at));
    for (const auto& [key, row] : tables.history)
        dump["history"].push_back(Line()
                                      .add(row.instance)
                                      .add(row.version)
                                      .add(name_of(row.type))
                                      .add(row.payload)
                                      .add(row.state_metadata)
                                      .add(row.cause.tenant())
                                      .add(row.cause.caller.user.empty()
                                               ? std::nullopt
                                               : std::optional(row.cause.caller.user))
                                      .add(memberships_to_json(row.cause.caller))
                                      .add(row.cause.operation)
                                      .add(row.at)
                                      .add(row.hash));
    for (const auto& [id, row] : tables.conflicts)
        dump["conflicts"].push_back(Line()
                                        .add(row.id)
                                        .add(row.instance)
                                        .add(row.expected)
                                        .add(row.actual)
                                        .add(paths_text(row.paths))
                                        .add(name_of(row.resolution))
                                        .add(row.at));
    for (const auto& [key, one] : tables.checkpoints)
        dump["checkpoints"].push_back(Line()
                                          .add(one.instance)
                                          .add(one.name)
                                          .add(one.version)
                                          .add(one.state.text())
                                          .add(one.state_metadata.text())
                                          .add(one.created_at));
    for (const auto& [key, answer] : tables.answers)
        dump["operations"].push_back(Line()
                                         .add(answer.key.tenant)
                                         .add(answer.key.key)
                                         .add(answer.request)
                                         .add(answer.outcome)
                                         .add(answer.operation)
                                         .add(answer.at));
}

// Everything of an instance except its rev.
std::string instance_line(const FoundInstance& found) {
    bj::object object = to_json(found.instance);
    object["children"] = to_json(found.instance.children);
    object["hash"] = to_hex(found.instance.history_hash);
    bj::array waits;
    for (const Waiting& waiting : found.instance.waits) waits.emplace_back(waiting_text(waiting));
    object["waitRows"] = std::move(waits);
    object["programRow"] = program_text(found.instance).value_or("");
    return json::canonical(object);
}

}  // namespace

Dump dump(std::unique_ptr<Store> store, const StorePlace& place,
          const std::vector<InstanceId>& ids) {
    Dump dump;
    for (const InstanceId& id : ids) {
        const auto found = store->ask(FindInstance{id, Depth::whole});
        if (!found) throw std::runtime_error(found.error().message);
        if (*found) dump["instances"].push_back(instance_line(**found));
    }
    if (auto* memory = dynamic_cast<memory::MemoryStore*>(store.get())) {
        const memory::Tables& held = memory->tables();
        dump["count"] = {std::to_string(held.instances.size())};
        dump_past(held, dump);
        dump_events(held, dump);
        dump_waits(held, dump);
        dump_journal(held, dump);
        dump_signals(held, dump);
        dump_tasks(held, dump);
        for (auto& [table, rows] : dump) std::ranges::sort(rows);
        return dump;
    }
    store.reset();
    dump["count"] = {place.query("select count(*) from instances")};
    for (const auto& tables : {state_tables(), event_tables(), signal_tables(), task_tables()})
        for (const Table& table : tables)
            if (auto rows = rows_of(place, table); !rows.empty())
                dump[table.name] = std::move(rows);
    std::ranges::sort(dump["instances"]);
    return dump;
}

std::string difference(const Dump& a, const Dump& b) {
    std::ostringstream out;
    const auto lacking = [&](const Dump& from, const Dump& in, const char* sign) {
        for (const auto& [table, rows] : from) {
            const auto other = in.find(table);
            for (const std::string& row : rows)
                if (other == in.end() || !std::ranges::binary_search(other->second, row))
                    out << sign << ' ' << table << ": " << row << '\n';
        }
    };
    lacking(a, b, "-");
    lacking(b, a, "+");
    // An empty table equals a missing one.
    const auto count = [](const Dump& dump) {
        std::size_t rows = 0;
        for (const auto& [table, lines] : dump) rows += lines.size();
        return rows;
    };
    if (out.str().empty() && count(a) != count(b)) return "a row appears twice";
    return out.str();
}

}  // namespace holdfast::testing
