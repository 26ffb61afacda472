#include "node/workflow_api.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "node/sent.h"
#include "node/workflow_api_run.h"
#include "operations/definitions/define.h"
#include "operations/events/cancel_event.h"
#include "operations/events/cancel_timers.h"
#include "operations/lifecycle/cancel.h"
#include "operations/lifecycle/start.h"
#include "program/flow.h"
#include "program/kinds.h"
#include "program/process.h"

namespace holdfast {
namespace {

constexpr std::size_t history_page = 1'000;

std::string started_id(const std::string& flow, const op::Start::Outcome& outcome) {
    return std::visit(
        Each{[](const op::Started& started) { return to_string(started.instance.id); },
             [](const op::UnknownDefinition& unknown) -> std::string {
                 throw Misuse("there is no flow named '" + unknown.key +
                              "'; add it to a node before starting it");
             },
             [](const op::NotStartable& refused) -> std::string {
                 throw Misuse("only events start '" + refused.key + "'");
             },
             [](const op::DisabledDefinition& refused) -> std::string {
                 throw Misuse("'" + refused.key + "' is disabled; enable it to start it");
             },
             [](const op::StartedBefore& before) { return to_string(before.instance.id); },
             [](const op::BusinessKeyTaken& taken) -> std::string {
                 throw Misuse("the business key is taken by workflow " + to_string(taken.instance) +
                              ", which is " + std::string(name_of(taken.status)) +
                              "; nothing was started");
             },
             [&](const op::InvalidState&) -> std::string {
                 throw Misuse("flow '" + flow +
                              "': the initial state violates the definition's schema");
             }},
        outcome);
}

// What others under the same business key mean for the start.
void read_policies(const StartOptions& options, op::Start& op) {
    const auto on_open = op::parse_on_open(options.on_open.empty() ? "start" : options.on_open);
    const auto on_closed =
        op::parse_on_closed(options.on_closed.empty() ? "start" : options.on_closed);
    if (!on_open) throw Misuse("on_open must be start, reject, existing or cancel");
    if (options.priority > highest_priority) throw Misuse("priority must be 0 to 9");
    if (!on_closed) throw Misuse("on_closed must be start, reject or afterFailure");
    op.on_open = *on_open;
    op.on_closed = *on_closed;
    op.priority = options.priority;
    const bool wants_key = *on_open != op::OnOpen::start || *on_closed != op::OnClosed::start;
    if (wants_key && op.business.key.empty())
        throw Misuse("on_open and on_closed need a business_key");
}

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
        run(op::Define{.cause = cause(),
                       .key = name,
                       .kind = std::string(flow_kind),
                       .program = flow_program()});
}

std::vector<std::string> WorkflowApi::deploy(const std::string& xml) {
    ModelDeployment deployment = deploy_model(xml);
    if (deployment.processes.empty()) {
        std::string why = "the model is refused:";
        for (const std::string& problem : deployment.problems) why += "\n" + problem;
        throw Misuse(why);
    }
    std::vector<std::string> keys;
    op::Deploy deploy{.cause = cause()};
    for (DeployedProcess& process : deployment.processes) {
        deploy.parts.push_back({.key = process.key,
                                .kind = std::string(process_kind),
                                .source = xml,
                                .program = process.program});
        keys.push_back(process.key);
    }
    run(std::move(deploy));
    return keys;
}

op::Start WorkflowApi::starting(const std::string& flow, const Json& arguments,
                                const StartOptions& options) {
    if (const flow::Code* code = parts_.runner.find(flow)) code->check(arguments);
    op::Start op{.cause = cause(), .definition = flow};
    op.arguments = Document::of(arguments);
    if (!options.state.is_null()) op.state = Document::of(options.state);
    op.business.key = options.business_key;
    read_policies(options, op);
    if (!options.key.empty()) {
        boost::json::object request{{"flow", flow}, {"arguments", arguments}};
        request["state"] = op.state.value();
        request["business"] = options.business_key;
        if (op.priority > 0) request["priority"] = op.priority;
        if (op.is_unique()) request["policies"] = {options.on_open, options.on_closed};
        op.client_key = {"start/" + flow + "/" + options.key, sha256(json::canonical(request))};
    }
    return op;
}

std::string WorkflowApi::start(const std::string& flow, const Json& arguments,
                               const StartOptions& options) {
    return started_id(flow, run(starting(flow, arguments, options)));
}

void WorkflowApi::start(const std::string& flow, const Json& arguments, const StartOptions& options,
                        std::shared_ptr<flow::FutureValue> started) {
    parts_.coordinator.submit(
        starting(flow, arguments, options),
        [flow, started = std::move(started)](Result<op::Start::Outcome> outcome) {
            pass_on(*started, [&] { return Json(started_id(flow, value_of(std::move(outcome)))); });
        });
}

op::SendEvent WorkflowApi::sending(const std::string* id, const std::string& event,
                                   const Json& value) {
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
    op.queue_bytes = parts_.event_queue_bytes;
    return op;
}

Sent WorkflowApi::send(const std::string* id, const std::string& event, const Json& value) {
    return sent_of(run(sending(id, event, value)));
}

void WorkflowApi::send(const std::string& id, const std::string& event, const Json& value,
                       std::shared_ptr<flow::FutureValue> sent) {
    parts_.coordinator.submit(
        sending(&id, event, value),
        [sent = std::move(sent)](Result<op::SendEvent::Outcome> outcome) {
            pass_on(*sent, [&] {
                return Json(static_cast<std::int64_t>(sent_of(value_of(std::move(outcome)))));
            });
        });
}

std::string WorkflowApi::send_later(const std::string* id, const When& when,
                                    const std::string& event, const Json& value) {
    op::SendEvent op = sending(id, event, value);
    if (const auto* at = std::get_if<Moment>(&when))
        op.at = *at;
    else
        op.after = std::get<std::chrono::microseconds>(when);
    std::string sent = to_string(op.event);
    switch (sent_of(run(std::move(op)))) {
        case Sent::ended: throw Misuse("event '" + event + "': workflow " + *id + " has ended");
        case Sent::unknown: throw Misuse("there is no workflow " + *id);
        case Sent::refused:
            throw Unavailable("event '" + event +
                              "' was refused: the queue of its receiver is full");
        default: return sent;
    }
}

bool WorkflowApi::cancel_event(const std::string& event) {
    const auto id = parse_id<EventId>(event);
    if (!id) throw Misuse("'" + event + "' is not an event id; use the one of send_later()");
    return std::holds_alternative<op::EventCancelled>(
        run(op::CancelEvent{.cause = cause(), .event = *id}));
}

std::size_t WorkflowApi::cancel_timers(const std::string& id) {
    const auto outcome = run(op::CancelTimers{.cause = cause(), .instance = read_workflow_id(id)});
    if (std::holds_alternative<op::NotFound>(outcome)) throw Misuse("there is no workflow " + id);
    const auto* cancelled = std::get_if<op::TimersCancelled>(&outcome);
    return cancelled ? cancelled->count : 0;
}

bool WorkflowApi::cancel(const std::string& id, const std::string& reason) {
    const auto outcome =
        run(op::Cancel{.cause = cause(), .instance = read_workflow_id(id), .reason = reason});
    if (std::holds_alternative<op::NotFound>(outcome)) throw Misuse("there is no workflow " + id);
    return std::holds_alternative<op::Cancelled>(outcome);
}

Instance WorkflowApi::find(const std::string& id, Depth depth) {
    auto found = value_of(reads().ask(FindInstance{read_workflow_id(id), depth}));
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
        const auto rows = value_of(reads().ask(HistoryQuery{instance, *from, history_page}));
        for (const HistoryRow& row : rows.items)
            entries.push_back(
                {row.version, std::string(name_of(row.type)), row.at, payload_of(row)});
        from = rows.next;
    }
    return entries;
}

std::optional<Ending> WorkflowApi::ending(const std::string& id) {
    Instance instance = find(id, Depth::row);
    if (is_open(instance.status) && instance.buried)
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
