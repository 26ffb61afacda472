#include "pump/bulk/bulk_job.h"

#include <boost/json.hpp>
#include <limits>

#include "base/printable.h"
#include "model/codec/member_reader.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

std::unexpected<Error> refuse(std::string message) {
    return fail(ErrorCode::invalid_argument, std::move(message));
}

// Absent: the object has other members, or one of another type.
Result<bj::object> members(const bj::value& value, const std::string& what,
                           std::initializer_list<std::string_view> known) {
    if (!value.is_object()) return refuse(what + " must be an object");
    for (const auto& member : value.get_object())
        if (std::ranges::find(known, std::string_view(member.key())) == known.end())
            return refuse(what + " has no member '" + std::string(member.key()) + "'");
    return value.get_object();
}

Result<std::map<std::string, std::string>> texts_of(const bj::object& object, const char* name) {
    std::map<std::string, std::string> texts;
    const bj::value* value = object.if_contains(name);
    if (!value || value->is_null()) return texts;
    if (!value->is_object()) return refuse("'" + std::string(name) + "' must be an object");
    for (const auto& [key, text] : value->get_object()) {
        if (!text.is_string())
            return refuse("'" + std::string(key) + "' in '" + name + "' must be a text");
        texts[std::string(key)] = std::string(text.get_string());
    }
    return texts;
}

std::string text_in(const bj::object& object, const char* name) {
    const bj::value* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->get_string()) : "";
}

std::uint64_t number_in(const bj::object& object, const char* name) {
    const bj::value* value = object.if_contains(name);
    boost::system::error_code error;
    const auto number = value ? value->to_number<std::uint64_t>(error) : 0;
    return error ? 0 : number;
}

Result<BulkAction> migrate_from(const bj::value& value) {
    HF_TRY(const auto object, members(value, "the action", {"do", "to", "mapping"}));
    op::Migrate migrate{.to = number_in(object, "to")};
    if (migrate.to == 0 || migrate.to > std::numeric_limits<std::int32_t>::max())
        return refuse("'to' must be a version of the definition: a whole number from 1");
    HF_TRY(const auto mapping, texts_of(object, "mapping"));
    for (const auto& [from, to] : mapping) migrate.mapping.push_back({from, to});
    return migrate;
}

Result<BulkAction> send_from(const bj::value& value) {
    HF_TRY(const auto object, members(value, "the action", {"do", "event", "value"}));
    op::SendEvent send{.event_name = text_in(object, "event")};
    if (send.event_name.empty() || send.event_name.size() > 256 || has_control(send.event_name) ||
        is_engine_name(send.event_name))
        return refuse(
            "'event' must be the name of an event that is not the engine's, without control "
            "characters");
    if (const bj::value* sent = object.if_contains("value")) send.value = Document::of(*sent);
    return send;
}

void read_progress(const bj::object& progress, BulkJob& job) {
    if (progress.contains("matched")) job.matched = number_in(progress, "matched");
    job.done = number_in(progress, "done");
    job.refused = number_in(progress, "refused");
    if (progress.contains("cursor")) job.cursor = text_in(progress, "cursor");
    if (const bj::value* all = progress.if_contains("allRead"))
        job.all_read = all->is_bool() && all->get_bool();
    const bj::value* batch = progress.if_contains("batch");
    for (const bj::value& id : batch && batch->is_array() ? batch->get_array() : bj::array{})
        if (const auto parsed =
                id.is_string() ? parse_id<InstanceId>(id.get_string()) : std::nullopt)
            job.batch.push_back(*parsed);
    const bj::value* refusals = progress.if_contains("refusals");
    for (const bj::value& one :
         refusals && refusals->is_array() ? refusals->get_array() : bj::array{})
        if (one.is_object())
            job.refusals.push_back({text_in(one.get_object(), "why"),
                                    number_in(one.get_object(), "count"),
                                    text_in(one.get_object(), "example")});
}

}  // namespace

std::uint64_t BulkJob::left() const {
    const std::uint64_t settled = done + refused;
    return matched && *matched > settled ? *matched - settled : 0;
}

void BulkJob::note_refusal(std::string why, const InstanceId& id) {
    ++refused;
    const auto found = std::ranges::find(refusals, why, &BulkRefusal::why);
    if (found != refusals.end()) {
        ++found->count;
        return;
    }
    if (refusals.size() < most_refusals) refusals.push_back({std::move(why), 1, to_string(id)});
}

Result<BulkAction> bulk_action_from(const bj::value& value) {
    const bj::object* object = value.if_object();
    const std::string what = object ? text_in(*object, "do") : "";
    if (what == "migrate") return migrate_from(value);
    if (what == "send") return send_from(value);
    HF_TRY(const auto plain, members(value, "the action", {"do"}));
    if (what == "cancel") return op::Cancel{};
    if (what == "pause") return op::Pause{};
    if (what == "resume") return op::Resume{};
    if (what == "retry") return op::Retry{};
    return refuse("'do' must be migrate, cancel, pause, resume, retry or send");
}

bj::object to_json(const BulkAction& action) {
    if (const auto* migrate = std::get_if<op::Migrate>(&action)) {
        bj::object mapping;
        for (const MappedElement& one : migrate->mapping) mapping[one.from] = one.to;
        return {{"do", "migrate"}, {"to", migrate->to}, {"mapping", std::move(mapping)}};
    }
    if (const auto* send = std::get_if<op::SendEvent>(&action))
        return {{"do", "send"}, {"event", send->event_name}, {"value", send->value.value()}};
    return {{"do", std::visit([](const auto& one) { return one.name; }, action)}};
}

Result<BulkJob> bulk_job_from(const bj::value& state) {
    HF_TRY(const auto object,
           members(state, "a bulk job", {"query", "action", "reason", "progress"}));
    BulkJob job;
    HF_TRY(job.query, texts_of(object, "query"));
    const bj::value* action = object.if_contains("action");
    HF_TRY(job.action, bulk_action_from(action ? *action : bj::value(nullptr)));
    job.reason = text_in(object, "reason");
    const bj::value* progress = object.if_contains("progress");
    if (progress && progress->is_object()) read_progress(progress->get_object(), job);
    return job;
}

bj::object to_json(const BulkJob& job) {
    bj::object query;
    for (const auto& [name, value] : job.query) query[name] = value;
    bj::array batch;
    for (const InstanceId& id : job.batch) batch.emplace_back(to_string(id));
    bj::array refusals;
    for (const BulkRefusal& one : job.refusals)
        refusals.push_back(
            bj::object{{"why", one.why}, {"count", one.count}, {"example", one.example}});
    bj::object progress{{"done", job.done},
                        {"refused", job.refused},
                        {"refusals", std::move(refusals)},
                        {"batch", std::move(batch)},
                        {"allRead", job.all_read}};
    if (job.matched) progress["matched"] = *job.matched;
    if (job.cursor) progress["cursor"] = *job.cursor;
    return {{"query", std::move(query)},
            {"action", to_json(job.action)},
            {"reason", job.reason},
            {"progress", std::move(progress)}};
}

}  // namespace holdfast
