#include "model/codec.h"

#include <boost/json.hpp>

namespace holdfast {
namespace {

namespace bj = boost::json;

// Reads members of an object and remembers the first that is missing or of the wrong kind.
class Reader {
public:
    explicit Reader(const bj::value& value) : object_(value.if_object()) {
        if (!object_) problem_ = "an object was expected";
    }

    std::string text(std::string_view name) {
        const bj::value* member = find(name);
        if (member && member->is_string()) return std::string(member->as_string());
        blame(name);
        return {};
    }
    std::uint64_t number(std::string_view name) {
        const bj::value* member = find(name);
        if (member && member->is_number()) {
            boost::system::error_code error;
            const auto value = member->to_number<std::uint64_t>(error);
            if (!error) return value;
        }
        blame(name);
        return 0;
    }
    bool flag(std::string_view name) {
        const bj::value* member = find(name);
        if (member && member->is_bool()) return member->as_bool();
        blame(name);
        return false;
    }
    template <class SomeId>
    SomeId id(std::string_view name) {
        auto parsed = parse_id<SomeId>(text(name));
        if (!parsed) blame(name);
        return parsed.value_or(SomeId{});
    }
    template <class SomeId>
    std::optional<SomeId> optional_id(std::string_view name) {
        return is_absent(name) ? std::nullopt : std::optional(id<SomeId>(name));
    }
    Moment moment(std::string_view name) {
        const auto parsed = parse_iso8601(text(name));
        if (!parsed) blame(name);
        return parsed.value_or(Moment{});
    }
    std::optional<Moment> optional_moment(std::string_view name) {
        return is_absent(name) ? std::nullopt : std::optional(moment(name));
    }
    Document document(std::string_view name) {
        const bj::value* member = find(name);
        if (member) return Document::of(*member);
        blame(name);
        return {};
    }
    const bj::value& value(std::string_view name) {
        static const bj::value null;
        const bj::value* member = find(name);
        return member ? *member : null;
    }
    bool is_absent(std::string_view name) { return value(name).is_null(); }
    void blame(std::string_view name) {
        if (problem_.empty()) problem_ = "member '" + std::string(name) + "' is missing or wrong";
    }

    template <class T>
    Result<T> give(T value) {
        if (!problem_.empty()) return fail(ErrorCode::corrupt, problem_);
        return value;
    }

private:
    const bj::value* find(std::string_view name) {
        return object_ ? object_->if_contains(name) : nullptr;
    }

    const bj::object* object_;
    std::string problem_;
};

bj::value to_json(const std::optional<LastCheckpoint>& checkpoint) {
    if (!checkpoint) return nullptr;
    return bj::object{{"name", checkpoint->name},
                      {"version", checkpoint->version},
                      {"at", to_iso8601(checkpoint->at)}};
}

std::optional<LastCheckpoint> read_last_checkpoint(const bj::value& value) {
    if (value.is_null()) return std::nullopt;
    Reader reader(value);
    return LastCheckpoint{reader.text("name"), reader.number("version"), reader.moment("at")};
}

bj::array to_json(const std::vector<Activity>& activities) {
    bj::array list;
    for (const Activity& activity : activities)
        list.push_back(bj::object{{"activityInstanceId", to_string(activity.id)},
                                  {"activityId", activity.activity}});
    return list;
}

bj::array to_json(const std::vector<Condition>& conditions) {
    bj::array list;
    for (const Condition& condition : conditions)
        list.push_back(bj::object{{"conditionStateId", to_string(condition.id)},
                                  {"sequenceFlowId", condition.sequence_flow},
                                  {"result", condition.result},
                                  {"isEvaluated", condition.evaluated}});
    return list;
}

}  // namespace

bj::value to_json(const std::optional<Moment>& moment) {
    return moment ? bj::value(to_iso8601(*moment)) : bj::value(nullptr);
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
    Reader reader(value);
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

bj::object to_json(const Instance& instance) {
    return {
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
        {"startedBy", to_json(instance.started_by)},
        {"parent", to_json(instance.parent)},
        {"lastModifiedBy", to_json(instance.last_modified_by)},
        {"lastModifiedAt", to_iso8601(instance.last_modified_at)},
        {"lastCheckpoint", to_json(instance.last_checkpoint)},
        {"state", instance.state.value()},
        {"stateMetadata", instance.state_metadata.value()},
        {"stateChecksum", to_hex(instance.state.checksum())},
    };
}

Result<Instance> instance_from_json(const bj::value& value) {
    Reader reader(value);
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
    instance.started_by = reader.optional_id<UserId>("startedBy");
    instance.parent = reader.optional_id<InstanceId>("parent");
    instance.last_modified_by = reader.optional_id<UserId>("lastModifiedBy");
    instance.last_modified_at = reader.moment("lastModifiedAt");
    instance.last_checkpoint = read_last_checkpoint(reader.value("lastCheckpoint"));
    instance.state = reader.document("state");
    instance.state_metadata = reader.document("stateMetadata");
    return reader.give(std::move(instance));
}

bj::object to_json(const Children& children) {
    bj::array variables;
    for (const VariableScope& scope : children.variables)
        variables.push_back(
            bj::object{{"scopeId", to_string(scope.id)}, {"variables", scope.variables.value()}});
    bj::object conditions;
    for (const auto& [gateway, list] : children.conditions)
        conditions[to_string(gateway)] = to_json(list);
    bj::array forks;
    for (const OpenFork& fork : children.forks) {
        bj::array tokens;
        for (const TokenId& token : fork.tokens) tokens.emplace_back(to_string(token));
        forks.push_back(bj::object{{"forkId", to_string(fork.id)},
                                   {"gateway", to_string(fork.gateway)},
                                   {"tokens", std::move(tokens)}});
    }
    return {{"activeActivities", to_json(children.active)},
            {"completedActivities", to_json(children.completed)},
            {"variables", std::move(variables)},
            {"conditions", std::move(conditions)},
            {"forks", std::move(forks)}};
}

bj::object to_json(const Cause& cause) {
    return {{"operation", to_string(cause.operation)},
            {"user", to_json(cause.user)},
            {"correlation", cause.correlation}};
}

bj::object to_json(const HistoryRow& row) {
    bj::object object{{"instance", to_string(row.instance)},
                      {"version", row.version},
                      {"type", name_of(row.type)},
                      {"payload", Document::trusted(row.payload, {}).value()},
                      {"user", to_json(row.cause.user)},
                      {"at", to_iso8601(row.at)},
                      {"operation", to_string(row.cause.operation)},
                      {"correlation", row.cause.correlation},
                      {"hash", to_hex(row.hash)}};
    object["stateMetadata"] = nullptr;
    if (row.state_metadata)
        object["stateMetadata"] = Document::trusted(*row.state_metadata, {}).value();
    return object;
}

bj::object to_json(const ConflictRow& row) {
    bj::array paths;
    for (const std::string& path : row.paths) paths.emplace_back(path);
    return {{"id", to_string(row.id)},
            {"instance", to_string(row.instance)},
            {"user", to_json(row.user)},
            {"expected", row.expected},
            {"actual", row.actual},
            {"paths", std::move(paths)},
            {"resolution", name_of(row.resolution)},
            {"at", to_iso8601(row.at)}};
}

bj::object to_json(const Checkpoint& checkpoint) {
    return {{"instance", to_string(checkpoint.instance)},
            {"name", checkpoint.name},
            {"version", checkpoint.version},
            {"state", checkpoint.state.value()},
            {"stateMetadata", checkpoint.state_metadata.value()},
            {"createdBy", to_json(checkpoint.created_by)},
            {"createdAt", to_iso8601(checkpoint.created_at)}};
}

Result<Checkpoint> checkpoint_from_json(const bj::value& value) {
    Reader reader(value);
    Checkpoint checkpoint{.instance = reader.id<InstanceId>("instance"),
                          .name = reader.text("name"),
                          .version = reader.number("version"),
                          .state = reader.document("state"),
                          .state_metadata = reader.document("stateMetadata"),
                          .created_by = reader.optional_id<UserId>("createdBy"),
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
                      {"createdBy", to_json(definition.created_by)},
                      {"createdAt", to_iso8601(definition.created_at)}};
    object["schema"] = nullptr;
    if (definition.schema) object["schema"] = Document::trusted(*definition.schema, {}).value();
    return object;
}

}  // namespace holdfast
