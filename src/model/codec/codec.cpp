#include "model/codec/codec.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "model/codec/member_reader.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

constexpr json::Limits stored_waits{.depth = 16, .nodes = 10'000'000};

bj::value to_json(const std::optional<LastCheckpoint>& checkpoint) {
    if (!checkpoint) return nullptr;
    return bj::object{{"name", checkpoint->name},
                      {"version", checkpoint->version},
                      {"at", to_iso8601(checkpoint->at)}};
}

std::optional<LastCheckpoint> read_last_checkpoint(const bj::value& value) {
    if (value.is_null()) return std::nullopt;
    MemberReader reader(value);
    return LastCheckpoint{reader.text("name"), reader.number("version"), reader.moment("at")};
}

bj::array texts_of(const std::vector<InstanceId>& ids) {
    bj::array list;
    for (const InstanceId& id : ids) list.emplace_back(to_string(id));
    return list;
}

// A name alone, or {name, correlationKey}.
bj::array names_json(const std::vector<EventKey>& keys) {
    bj::array list;
    for (const EventKey& key : keys)
        if (key.correlation.empty())
            list.emplace_back(key.name);
        else
            list.push_back(bj::object{{"name", key.name}, {"correlationKey", key.correlation}});
    return list;
}

void read_names(MemberReader& reader, Wait& wait) {
    const bj::array* list = reader.value("names").if_array();
    if (!list) return reader.blame("names");
    for (const bj::value& item : *list) {
        const bj::object* object = item.if_object();
        const bj::value* name = object ? object->if_contains("name") : &item;
        const bj::value* correlation = object ? object->if_contains("correlationKey") : nullptr;
        if (!name || !name->is_string() || (object && !(correlation && correlation->is_string())))
            return reader.blame("names");
        wait.names.emplace_back(std::string(name->get_string()),
                                correlation ? std::string(correlation->get_string()) : "");
    }
}

bj::object to_json(const Waiting& waiting) {
    const Wait& wait = waiting.wait;
    bj::object object{
        {"kind", name_of(kind_of(waiting))},         {"token", to_string(waiting.token)},
        {"untilUtc", holdfast::to_json(wait.until)}, {"names", names_json(wait.names)},
        {"workflows", texts_of(wait.workflows)},     {"since", name_of(wait.since)},
        {"beganAt", to_iso8601(waiting.began_at)}};
    if (wait.retry) object["retry"] = true;
    if (waiting.owner) object["owner"] = to_string(*waiting.owner);
    return object;
}

void read_conditions(MemberReader& reader, Wait& wait) {
    const auto since = parse_since(reader.text("since"));
    if (!since) reader.blame("since");
    wait.since = since.value_or(Since::any);
    read_names(reader, wait);
    wait.retry = reader.has("retry");
    for (const std::string& workflow : reader.texts("workflows"))
        if (const auto id = parse_id<InstanceId>(workflow))
            wait.workflows.push_back(*id);
        else
            reader.blame("workflows");
}

Waiting read_waiting(const bj::value& value) {
    MemberReader reader(value);
    Waiting waiting{.token = reader.id<TokenId>("token"), .began_at = reader.moment("beganAt")};
    waiting.wait.until = reader.optional_moment("untilUtc");
    if (!reader.is_absent("operation")) waiting.operation = reader.id<OperationId>("operation");
    if (reader.has("owner")) waiting.owner = reader.id<ActivityInstanceId>("owner");
    read_conditions(reader, waiting.wait);
    return waiting;
}

// Stored answers from before there could be several have only the one.
std::vector<Waiting> read_waits(MemberReader& reader) {
    std::vector<Waiting> waits;
    if (const bj::array* list = reader.has("waits") ? reader.value("waits").if_array() : nullptr) {
        for (const bj::value& item : *list) waits.push_back(read_waiting(item));
    } else if (const bj::value& one = reader.value("waiting"); !one.is_null()) {
        waits.push_back(read_waiting(one));
    }
    return waits;
}

bj::array waits_json(const Instance& instance) {
    bj::array waits;
    for (const Waiting& waiting : instance.waits) waits.push_back(to_json(waiting));
    return waits;
}

// The runtime members. Stored answers from before programs existed do not have them.
bj::object runtime_json(const Instance& instance) {
    const auto text = [](const std::optional<std::string>& one) {
        return one && !one->empty() ? bj::value(*one) : bj::value(nullptr);
    };
    bj::object object{{"run", instance.run}, {"index", instance.index}};
    const Waiting* first = due_first(instance.waits);
    object["waiting"] = first ? bj::value(to_json(*first)) : bj::value(nullptr);
    object["waits"] = waits_json(instance);
    object["result"] = instance.result ? instance.result->value() : bj::value(nullptr);
    object["lastError"] = text(instance.last_error);
    object["cancelReason"] = text(instance.cancel_reason);
    object["lastExecutedBy"] = text(instance.last_executed_by);
    object["lastExecutedAt"] = holdfast::to_json(instance.last_executed_at);
    return object;
}

void read_runtime(MemberReader& reader, Instance& instance) {
    if (reader.is_absent("run")) return;
    instance.run = reader.number("run");
    instance.index = reader.number("index");
    instance.waits = read_waits(reader);
    if (!is_open(instance.status) && instance.status != Status::cancelled)
        instance.result = reader.document("result");
    if (!reader.is_absent("lastError")) instance.last_error = reader.text("lastError");
    if (!reader.is_absent("cancelReason")) instance.cancel_reason = reader.text("cancelReason");
    if (!reader.is_absent("lastExecutedBy"))
        instance.last_executed_by = reader.text("lastExecutedBy");
    instance.last_executed_at = reader.optional_moment("lastExecutedAt");
}

}  // namespace

bj::value to_json(const std::optional<Moment>& moment) {
    return moment ? bj::value(to_iso8601(*moment)) : bj::value(nullptr);
}

bj::value user_json(const std::string& user) {
    return user.empty() ? bj::value(nullptr) : bj::value(user);
}

void add_memberships(bj::object& object, const Caller& caller) {
    if (!caller.groups.empty())
        object["groups"] = bj::array(caller.groups.begin(), caller.groups.end());
    if (!caller.roles.empty())
        object["roles"] = bj::array(caller.roles.begin(), caller.roles.end());
    if (!caller.by.empty()) object["by"] = caller.by;
    if (caller.tenant != Caller{}.tenant) object["tenant"] = caller.tenant;
}

bj::object to_json(const BusinessReference& business) {
    bj::object parts;
    for (const auto& [name, value] : business.parts) parts[name] = value;
    bj::object object;
    object["key"] = business.key.empty() ? bj::value(nullptr) : bj::value(business.key);
    object["parts"] = std::move(parts);
    return object;
}

Result<BusinessReference> business_from_json(const bj::value& value) {
    MemberReader reader(value);
    BusinessReference business;
    if (!reader.is_absent("key")) business.key = reader.text("key");
    if (const bj::object* parts = reader.value("parts").if_object()) {
        for (const auto& part : *parts) {
            if (!part.value().is_string())
                reader.blame("parts");
            else
                business.parts.emplace(part.key(), part.value().as_string());
        }
    } else if (!reader.is_absent("parts")) {
        reader.blame("parts");
    }
    return reader.give(std::move(business));
}

bj::object row_json(const Instance& instance) {
    bj::object object{
        {"id", to_string(instance.id)},
        {"version", instance.version},
        {"status", name_of(instance.status)},
        {"definition", instance.definition.key},
        {"definitionVersion", instance.definition.version},
        {"businessReference", to_json(instance.business)},
        {"paused", instance.paused},
        {"incident", instance.incident},
        {"quarantined", instance.quarantined},
        {"createdAt", to_iso8601(instance.created_at)},
        {"executionStartedAt", to_json(instance.execution_started_at)},
        {"completedAt", to_json(instance.completed_at)},
        {"updatedAt", to_iso8601(instance.updated_at)},
        {"startedBy", user_json(instance.started_by)},
        {"parent", to_json(instance.parent)},
        {"lastModifiedBy", user_json(instance.last_modified_by)},
        {"lastModifiedAt", to_iso8601(instance.last_modified_at)},
        {"lastCheckpoint", to_json(instance.last_checkpoint)},
    };
    for (auto& member : runtime_json(instance))
        object.emplace(member.key(), std::move(member.value()));
    if (instance.run_by != RunBy::outside) object["program"] = program_json(instance);
    object["stateChecksum"] = to_hex(instance.state.checksum());
    return object;
}

bj::object to_json(const Instance& instance) {
    bj::object object = row_json(instance);
    object["state"] = instance.state.value();
    object["stateMetadata"] = instance.state_metadata.value();
    return object;
}

Result<Instance> instance_from_json(const bj::value& value) {
    MemberReader reader(value);
    Instance instance;
    instance.id = reader.id<InstanceId>("id");
    instance.version = reader.number("version");
    const auto status = parse_status(reader.text("status"));
    if (!status) reader.blame("status");
    instance.status = status.value_or(Status::running);
    instance.definition = {reader.text("definition"),
                           static_cast<std::uint32_t>(reader.number("definitionVersion"))};
    auto business = business_from_json(reader.value("businessReference"));
    if (!business) return std::unexpected(business.error());
    instance.business = *std::move(business);
    instance.paused = reader.flag("paused");
    instance.incident = reader.flag("incident");
    instance.quarantined = reader.flag("quarantined");
    instance.created_at = reader.moment("createdAt");
    instance.execution_started_at = reader.optional_moment("executionStartedAt");
    instance.completed_at = reader.optional_moment("completedAt");
    instance.updated_at = reader.moment("updatedAt");
    instance.started_by = reader.optional_text("startedBy");
    instance.parent = reader.optional_id<InstanceId>("parent");
    instance.last_modified_by = reader.optional_text("lastModifiedBy");
    instance.last_modified_at = reader.moment("lastModifiedAt");
    instance.last_checkpoint = read_last_checkpoint(reader.value("lastCheckpoint"));
    read_runtime(reader, instance);
    if (reader.has("program")) {
        HF_CHECK(read_program(reader.value("program"), instance));
    }
    instance.state = reader.document("state");
    instance.state_metadata = reader.document("stateMetadata");
    return reader.give(std::move(instance));
}

bj::object to_json(const Event& event) {
    return {{"id", to_string(event.id)},
            {"name", event.name},
            {"correlationKey", event.correlation},
            {"target", to_json(event.target)},
            {"value", event.value.value()},
            {"onTargetEnded", name_of(event.on_target_ended)},
            {"keep", event.keep == Keep::yes},
            {"acceptedAt", to_iso8601(event.accepted_at)},
            {"expiresAt", to_json(event.expires_at)}};
}

bj::object to_json(const DeadEvent& dead) {
    bj::object object = to_json(dead.event);
    object["targetStatus"] = name_of(dead.target_status);
    object["endedAt"] = to_iso8601(dead.ended_at);
    return object;
}

bj::object to_json(const JournalEntry& entry) {
    const Step& step = entry.step;
    bj::object object{{"index", step.index}, {"name", step.name}};
    object["inputHash"] = nullptr;
    if (step.input_hash) object["inputHash"] = to_hex(*step.input_hash);
    object[step.result == StepResult::value ? "value" : "error"] = step.value.value();
    object["at"] = to_iso8601(step.at);
    object["winner"] = nullptr;
    if (entry.winner)
        object["winner"] =
            bj::object{{"type", name_of(entry.winner->type)}, {"name", entry.winner->name}};
    return object;
}

bj::value payload_of(const HistoryRow& row) {
    bj::value payload = Document::trusted(row.payload, {}).value();
    if (row.value) payload.as_object()["value"] = row.value->value();
    return payload;
}

bj::object to_json(const HistoryRow& row) {
    bj::object object{{"instance", to_string(row.instance)},
                      {"version", row.version},
                      {"type", name_of(row.type)},
                      {"payload", payload_of(row)},
                      {"user", user_json(row.cause.caller.user)},
                      {"at", to_iso8601(row.at)},
                      {"operation", to_string(row.cause.operation)},
                      {"correlation", row.cause.correlation},
                      {"hash", to_hex(row.hash)}};
    object["stateMetadata"] = nullptr;
    if (row.state_metadata)
        object["stateMetadata"] = Document::trusted(*row.state_metadata, {}).value();
    add_memberships(object, row.cause.caller);
    return object;
}

bj::object to_json(const ConflictRow& row) {
    bj::array paths;
    for (const std::string& path : row.paths) paths.emplace_back(path);
    bj::object object{{"id", to_string(row.id)},
                      {"instance", to_string(row.instance)},
                      {"user", user_json(row.caller.user)},
                      {"expected", row.expected},
                      {"actual", row.actual},
                      {"paths", std::move(paths)},
                      {"resolution", name_of(row.resolution)},
                      {"at", to_iso8601(row.at)}};
    add_memberships(object, row.caller);
    return object;
}

bj::object to_json(const Checkpoint& checkpoint) {
    return {{"instance", to_string(checkpoint.instance)},
            {"name", checkpoint.name},
            {"version", checkpoint.version},
            {"state", checkpoint.state.value()},
            {"stateMetadata", checkpoint.state_metadata.value()},
            {"createdBy", user_json(checkpoint.created_by)},
            {"createdAt", to_iso8601(checkpoint.created_at)}};
}

Result<Checkpoint> checkpoint_from_json(const bj::value& value) {
    MemberReader reader(value);
    Checkpoint checkpoint{.instance = reader.id<InstanceId>("instance"),
                          .name = reader.text("name"),
                          .version = reader.number("version"),
                          .state = reader.document("state"),
                          .state_metadata = reader.document("stateMetadata"),
                          .created_by = reader.optional_text("createdBy"),
                          .created_at = reader.moment("createdAt")};
    return reader.give(std::move(checkpoint));
}

bj::object to_json(const Definition& definition) {
    bj::array indexes;
    for (const json::Path& path : definition.indexes) indexes.emplace_back(json::to_string(path));
    bj::object object{{"key", definition.ref.key},
                      {"version", definition.ref.version},
                      {"indexes", std::move(indexes)},
                      {"checksum", to_hex(definition.checksum)},
                      {"createdBy", user_json(definition.created_by)},
                      {"createdAt", to_iso8601(definition.created_at)}};
    if (definition.kind != "outside") object["kind"] = definition.kind;
    if (definition.source) object["source"] = *definition.source;
    if (definition.disabled) object["disabled"] = true;
    const Retention& retention = definition.retention;
    if (retention.keep_for) object["keepForMicroseconds"] = retention.keep_for->count();
    if (retention.stale_after) object["staleAfterMicroseconds"] = retention.stale_after->count();
    if (definition.limits) object["limits"] = to_json(*definition.limits);
    object["schema"] = nullptr;
    if (definition.schema) object["schema"] = Document::trusted(*definition.schema, {}).value();
    return object;
}

bj::object to_json(const Wait& wait) {
    bj::object object{{"names", names_json(wait.names)},
                      {"until", to_json(wait.until)},
                      {"workflows", texts_of(wait.workflows)},
                      {"since", name_of(wait.since)}};
    if (wait.retry) object["retry"] = true;
    return object;
}

Result<Wait> wait_from_json(const bj::value& value) {
    MemberReader reader(value);
    Wait wait{.until = reader.optional_moment("until")};
    read_conditions(reader, wait);
    return reader.give(std::move(wait));
}

std::string waiting_text(const Waiting& waiting) {
    bj::object object = to_json(waiting.wait);
    object["token"] = to_string(waiting.token);
    object["beganAt"] = to_iso8601(waiting.began_at);
    object["operation"] = to_string(waiting.operation);
    if (waiting.owner) object["owner"] = to_string(*waiting.owner);
    return json::canonical(object);
}

namespace {

Result<Waiting> stored_waiting(const bj::value& value) {
    HF_TRY(auto wait, wait_from_json(value));
    MemberReader reader(value);
    Waiting waiting{.token = reader.id<TokenId>("token"),
                    .wait = std::move(wait),
                    .began_at = reader.moment("beganAt"),
                    .operation = reader.id<OperationId>("operation")};
    if (reader.has("owner")) waiting.owner = reader.id<ActivityInstanceId>("owner");
    return reader.give(std::move(waiting));
}

}  // namespace

Result<std::vector<Waiting>> waits_from_text(std::string_view text) {
    HF_TRY(auto value, json::parse(text, stored_waits));
    std::vector<Waiting> waits;
    const bj::array one{value};
    for (const bj::value& item : value.is_array() ? value.get_array() : one) {
        HF_TRY(auto waiting, stored_waiting(item));
        waits.push_back(std::move(waiting));
    }
    std::ranges::sort(waits, waited_longer);
    return waits;
}

}  // namespace holdfast
