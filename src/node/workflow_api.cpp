#include "node/workflow_api.h"

#include "base/json/canonical.h"
#include "node/sent.h"
#include "node/workflow_api_run.h"
#include "operations/definitions/define.h"
#include "operations/lifecycle/cancel.h"
#include "operations/lifecycle/start.h"

namespace holdfast {
namespace {

constexpr std::size_t history_page = 1'000;

}  // namespace

InstanceId read_workflow_id(const std::string& id) {
    if (const auto parsed = parse_id<InstanceId>(id)) return *parsed;
    throw Misuse("'" + id + "' is not a workflow id; use the id that start() returned");
}

std::string Workflows::PartOf::text() const {
    return "flow '" + workflows.flow_of(id) + "', workflow " + id + ", its " + part;
}

void WorkflowApi::define() {
    for (const auto& [name, code] : parts_.runner.codes())
        run(op::Define{.cause = cause(), .key = name, .kind = DefinitionKind::flow});
}

std::string WorkflowApi::start(const std::string& flow, const Json& arguments,
                               const StartOptions& options) {
    if (const flow::Code* code = parts_.runner.find(flow)) code->check(arguments);
    op::Start op{.cause = cause(), .definition = flow};
    op.arguments = Document::of(arguments);
    if (!options.state.is_null()) op.state = Document::of(options.state);
    op.business.key = options.business_key;
    if (!options.key.empty()) {
        boost::json::object request{{"flow", flow}, {"arguments", arguments}};
        request["state"] = op.state.value();
        request["business"] = options.business_key;
        op.client_key = {"start/" + flow + "/" + options.key, sha256(json::canonical(request))};
    }
    const auto outcome = run(std::move(op));
    return std::visit(
        Each{[](const op::Started& started) { return to_string(started.instance.id); },
             [](const op::UnknownDefinition& unknown) -> std::string {
                 throw Misuse("there is no flow named '" + unknown.key +
                              "'; add it to a node before starting it");
             },
             [&](const op::InvalidState&) -> std::string {
                 throw Misuse("flow '" + flow +
                              "': the initial state violates the definition's schema");
             }},
        outcome);
}

Sent WorkflowApi::send(const std::string* id, const std::string& event, const Json& value) {
    if (is_engine_name(event))
        throw Misuse("event '" + event +
                     "': names that begin with 'task/' belong to the engine; complete the task "
                     "with complete_task()");
    op::SendEvent op{.cause = cause()};
    op.event = parts_.ids.next<EventId>();
    op.event_name = event;
    if (id) op.target = read_workflow_id(*id);
    op.value = Document::of(value);
    op.queue_limit = parts_.event_queue;
    return sent_of(run(std::move(op)));
}

bool WorkflowApi::cancel(const std::string& id, const std::string& reason) {
    const auto outcome =
        run(op::Cancel{.cause = cause(), .instance = read_workflow_id(id), .reason = reason});
    if (std::holds_alternative<op::NotFound>(outcome)) throw Misuse("there is no workflow " + id);
    return std::holds_alternative<op::Cancelled>(outcome);
}

Instance WorkflowApi::find(const std::string& id, Depth depth) {
    auto found = value_of(parts_.store.find(read_workflow_id(id), depth));
    if (!found) throw Misuse("there is no workflow " + id);
    return std::move(found->instance);
}

std::string WorkflowApi::status(const std::string& id) {
    return std::string(name_of(find(id, Depth::row).status));
}

Json WorkflowApi::state(const std::string& id) { return find(id, Depth::document).state.value(); }

std::string WorkflowApi::flow(const std::string& id) { return find(id, Depth::row).definition.key; }

std::vector<HistoryEntry> WorkflowApi::history(const std::string& id) {
    const InstanceId instance = read_workflow_id(id);
    std::vector<HistoryEntry> entries;
    std::optional<Version> from = 1;
    while (from) {
        const auto rows = value_of(parts_.store.history(instance, *from, history_page));
        for (const HistoryRow& row : rows.items)
            entries.push_back({row.version, std::string(name_of(row.type)), row.at,
                               boost::json::parse(row.payload)});
        from = rows.next;
    }
    return entries;
}

std::optional<Ending> WorkflowApi::ending(const std::string& id) {
    Instance instance = find(id, Depth::row);
    if (is_open(instance.status) && instance.program && instance.program->buried)
        throw WorkflowStopped(id, instance.last_error.value_or("unknown"));
    if (is_open(instance.status)) return std::nullopt;
    return Ending{instance.status, std::move(instance.result)};
}

Json result_of(const std::string& id, const Ending& ending) {
    Json value = ending.result ? ending.result->value() : Json(nullptr);
    if (ending.status == Status::succeeded) return value;
    // The result of a failed workflow is {code, error}; the exception carries the error.
    if (const auto* object = value.if_object())
        if (const auto* error = object->if_contains("error")) value = Json(*error);
    throw WorkflowFailed(id, std::string(name_of(ending.status)), std::move(value));
}

}  // namespace holdfast
