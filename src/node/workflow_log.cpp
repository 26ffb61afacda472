#include "node/workflow_log.h"

#include <boost/json.hpp>

#include "base/log.h"

namespace holdfast {
namespace {

constexpr std::size_t most_labels = 200;
constexpr std::size_t most_told = 10'000;

prometheus::Family<prometheus::Counter>& counters(prometheus::Registry& registry, const char* name,
                                                  const char* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

boost::json::object fields_of(const Instance& instance) {
    boost::json::object fields{{"workflow", to_string(instance.id)},
                               {"definition", instance.definition.key}};
    if (!instance.business.key.empty()) fields["businessKey"] = instance.business.key;
    return fields;
}

}  // namespace

WorkflowLog::WorkflowLog(prometheus::Registry& registry)
    : started_(counters(registry, "holdfast_workflows_started_total",
                        "Workflows whose start this node committed, by definition.")),
      ended_(counters(registry, "holdfast_workflows_ended_total",
                      "Workflows whose end this node committed, by definition and status.")),
      attempts_failed_(counters(registry, "holdfast_step_attempts_failed_total",
                                "Failed attempts of steps that are tried again, by definition.")),
      incidents_(counters(registry, "holdfast_incidents_raised_total",
                          "Workflows that got an incident by a commit of this node, by "
                          "definition.")) {}

void WorkflowLog::committed(const Touched& touched) {
    const std::lock_guard lock(mutex_);
    for (const TouchedInstance& touch : touched.instances)
        if (touch.instance)
            look_at(*touch.instance);
        else
            with_incident_.erase(touch.id);
}

void WorkflowLog::look_at(const Instance& instance) {
    if (instance.created_at == instance.updated_at) of(instance).started->Increment();
    if (instance.completed_at == instance.updated_at) count_end(instance);
    note_attempt(instance);
    note_incident(instance);
}

void WorkflowLog::count_end(const Instance& instance) {
    OfDefinition& counters = of(instance);
    prometheus::Counter*& ended = counters.ended[instance.status];
    if (!ended)
        ended = &ended_.Add(
            {{"definition", counters.label}, {"status", std::string(name_of(instance.status))}});
    ended->Increment();
    if (instance.status != Status::failed) return;
    auto fields = fields_of(instance);
    fields["code"] = instance.last_error.value_or("");
    if (instance.result) fields["error"] = instance.result->value();
    log::warn("workflow.failed", fields);
}

void WorkflowLog::note_attempt(const Instance& instance) {
    const auto& retry = instance.program.retry;
    if (!retry || retry->attempts.empty() || retry->attempts.back().at != instance.updated_at)
        return;
    attempts_failed_.Add({{"definition", of(instance).label}}).Increment();
    auto fields = fields_of(instance);
    fields["index"] = retry->index;
    fields["attempt"] = retry->attempts.size();
    fields["error"] = retry->attempts.back().error.value();
    log::warn("step.attempt_failed", fields);
}

void WorkflowLog::note_incident(const Instance& instance) {
    if (!instance.incident) {
        with_incident_.erase(instance.id);
        return;
    }
    if (with_incident_.size() >= most_told) with_incident_.erase(with_incident_.begin());
    if (!with_incident_.insert(instance.id).second) return;
    incidents_.Add({{"definition", of(instance).label}}).Increment();
    auto fields = fields_of(instance);
    fields["code"] = instance.last_error.value_or("");
    log::warn("workflow.incident", fields);
}

WorkflowLog::OfDefinition& WorkflowLog::of(const Instance& instance) {
    const std::string& key = instance.definition.key;
    if (const auto known = definitions_.find(key); known != definitions_.end())
        return known->second;
    const std::string label = definitions_.size() < most_labels ? key : "other";
    OfDefinition& added = definitions_[label];
    added.label = label;
    if (!added.started) added.started = &started_.Add({{"definition", label}});
    return added;
}

}  // namespace holdfast
