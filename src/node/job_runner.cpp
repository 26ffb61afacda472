#include "node/job_runner.h"

#include <boost/json.hpp>

namespace holdfast {
namespace {

namespace bj = boost::json;

// The activity's own variables hide those around it.
bj::object variables_of(const Instance& instance, const ActivityInstanceId& activity) {
    std::map<ActivityInstanceId, bj::object> rows;
    for (const VariableScope& row : instance.children.variables)
        if (const bj::value content = row.variables.value(); content.is_object())
            rows.emplace(ActivityInstanceId{row.id.value}, content.get_object());
    bj::object visible;
    for (auto at = rows.find(activity); at != rows.end();) {
        const bj::object& row = at->second;
        if (const bj::value* own = row.if_contains("variables"))
            for (const auto& member : own->as_object())
                if (!visible.contains(member.key())) visible[member.key()] = member.value();
        const bj::value* around = row.if_contains("in");
        const auto id = around ? parse_id<ActivityInstanceId>(around->as_string()) : std::nullopt;
        at = id ? rows.find(*id) : rows.end();
    }
    if (const bj::value state = instance.state.value(); state.is_object())
        for (const auto& member : state.get_object())
            if (!visible.contains(member.key())) visible[member.key()] = member.value();
    return visible;
}

bool is_active(const Instance& instance, const ActivityInstanceId& activity) {
    return std::ranges::any_of(instance.children.active,
                               [&](const Activity& one) { return one.id == activity; });
}

}  // namespace

bool JobRunner::add(const std::string& type, Worker worker) {
    return workers_.emplace(type, std::move(worker)).second;
}

void JobRunner::start(Coordinator& coordinator, IdSource& ids) {
    coordinator_ = &coordinator;
    ids_ = &ids;
}

void JobRunner::handle(Work work, Done done) { done(perform(work)); }

Result<void> JobRunner::perform(const Work& work) {
    if (!work.signal) return fail(ErrorCode::corrupt, "a job without its row");
    HF_TRY(const JobSpec spec, job_in(*work.signal));
    HF_TRY(const auto read,
           coordinator_
               ->submit(op::Read{.cause = Cause::of_engine(ids_->next<OperationId>()),
                                 .instance = work.instance})
               .get());
    const auto* found = std::get_if<op::Found>(&read);
    // Nobody needs it any more: it is only removed.
    if (!found || !is_active(found->instance, spec.activity)) return end(work, {});
    // The attempts before ended with their node, or without an answer.
    if (work.attempts > spec.retries)
        return end(work, Document::of(bj::object{
                             {"failed", std::to_string(spec.retries) + " attempts failed"}}));
    HF_TRY(Document result, result_of(work, spec, found->instance));
    return end(work, std::move(result));
}

Result<Document> JobRunner::result_of(const Work& work, const JobSpec& spec,
                                      const Instance& instance) {
    const Job job{.id = to_string(work.id),
                  .type = spec.type,
                  .workflow = to_string(work.instance),
                  .element = spec.element,
                  .attempt = work.attempts,
                  .variables = variables_of(instance, spec.activity),
                  .headers = spec.headers};
    std::string failure;
    try {
        return Document::of(bj::object{{"variables", workers_.at(spec.type)(job)}});
    } catch (const BpmnError& error) {
        return Document::of(bj::object{{"error", error.code()}, {"message", error.what()}});
    } catch (const std::exception& error) {
        failure = error.what();
    } catch (...) {
        failure = "the worker threw something that is no exception";
    }
    if (work.attempts < spec.retries) return fail(ErrorCode::refused, failure);
    return Document::of(bj::object{{"failed", failure}});
}

Result<void> JobRunner::end(const Work& work, Document result) {
    HF_CHECK(coordinator_
                 ->submit(op::EndJob{.cause = Cause::of_engine(ids_->next<OperationId>()),
                                     .instance = work.instance,
                                     .signal = work.id,
                                     .lease = work.lease,
                                     .result = std::move(result)})
                 .get());
    return {};
}

}  // namespace holdfast
