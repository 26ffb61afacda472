#include "node/job_runner.h"

#include <boost/json.hpp>

#include "base/log.h"
#include "engine/process_state.h"

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
    for (const auto& member : engine::variables_of(instance.state))
        if (!visible.contains(member.key())) visible[member.key()] = member.value();
    return visible;
}

bool is_active(const Instance& instance, const ActivityInstanceId& activity) {
    return std::ranges::any_of(instance.children.active,
                               [&](const Activity& one) { return one.id == activity; });
}

// Its process may have been paused meanwhile: the job is done again when it is resumed.
Result<void> answer_of(const Result<op::EndJob::Outcome>& outcome) {
    if (!outcome) return std::unexpected(outcome.error());
    if (std::holds_alternative<op::JobEnded>(*outcome)) return {};
    return fail(ErrorCode::conflict, "its process is paused, or its lease is over");
}

}  // namespace

bool JobRunner::add(const std::string& type, Worker worker) {
    return workers_.emplace(type, std::move(worker)).second;
}

void JobRunner::handle(Work work, Done done) {
    if (!work.signal) return done(fail(ErrorCode::corrupt, "a job without its row"));
    const auto spec = job_in(*work.signal);
    if (!spec) return done(std::unexpected(spec.error()));
    std::uint64_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        number = ++last_;
        running_.emplace(number, Running{work.head(), *spec, std::move(done)});
    }
    Result<Document> result = perform(work, *spec, number);
    if (auto job = take(number)) {
        if (!result) return job->done(std::unexpected(result.error()));
        return end(*std::move(job), *std::move(result));
    }
    log::warn("job.returned_late", {{"type", spec->type},
                                    {"workflow", to_string(work.instance)},
                                    {"element", spec->element},
                                    {"next", "its result is ignored"}});
    if (parts_->stuck_job_returned) parts_->stuck_job_returned();
}

std::optional<JobRunner::Running> JobRunner::take(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    auto found = running_.extract(number);
    if (!found) return std::nullopt;
    return std::move(found.mapped());
}

void JobRunner::watch(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    running_.at(number).began = Steady::now();
}

void JobRunner::give_up_hung(std::chrono::microseconds limit) {
    const auto now = Steady::now();
    std::vector<Running> hung;
    {
        const std::lock_guard lock(mutex_);
        for (auto at = running_.begin(); at != running_.end();) {
            const auto next = std::next(at);
            if (at->second.began && now - *at->second.began > limit)
                hung.push_back(std::move(running_.extract(at).mapped()));
            at = next;
        }
    }
    for (Running& job : hung) give_up(std::move(job));
}

void JobRunner::give_up(Running job) {
    const auto time = std::chrono::duration_cast<std::chrono::seconds>(Steady::now() - *job.began);
    const std::string message = "the worker does not return";
    log::error("job.hangs", {{"type", job.spec.type},
                             {"workflow", to_string(job.head.instance)},
                             {"element", job.spec.element},
                             {"seconds", time.count()},
                             {"next", "the thread is lost until the worker returns"}});
    if (parts_->job_stuck) parts_->job_stuck();
    if (job.head.attempts < job.spec.retries)
        return job.done(fail(ErrorCode::unavailable, message));
    end(std::move(job), Document::of(bj::object{{"failed", message}}));
}

Result<Document> JobRunner::perform(const Work& work, const JobSpec& spec, std::uint64_t number) {
    HF_TRY(const auto instance, instance_of(work));
    // Nobody needs it any more: it is only removed.
    if (!instance || !is_active(*instance, spec.activity)) return Document();
    if (!takes_deliveries(*instance))
        return fail(ErrorCode::conflict, "its process is paused or quarantined");
    // The attempts before ended with their node, or without an answer.
    if (work.attempts > spec.retries)
        return Document::of(
            bj::object{{"failed", std::to_string(spec.retries) + " attempts failed"}});
    watch(number);
    return result_of(work, spec, *instance);
}

// A job that the commit of its process leased to this node comes with it, and it is read only if
// the process has moved since.
Result<std::shared_ptr<const Instance>> JobRunner::instance_of(const Work& work) {
    if (work.instance_row) {
        const auto newest = parts_->coordinator.get_active(work.instance);
        if (newest && newest->rev == work.instance_row->rev) return work.instance_row;
    }
    HF_TRY(auto found, parts_->store.ask(FindInstance{work.instance, Depth::whole}));
    if (!found) return nullptr;
    if (found->corrupt) return fail(ErrorCode::corrupt, "its state is damaged");
    return std::make_shared<const Instance>(std::move(found->instance));
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

// No thread waits for the commit: the worker's does the next job.
void JobRunner::end(Running job, Document result) {
    op::EndJob ending{.cause = Cause::of_engine(parts_->ids.next<OperationId>()),
                      .instance = job.head.instance,
                      .signal = job.head.id,
                      .lease = job.head.lease,
                      .result = std::move(result)};
    auto done = std::make_shared<Done>(std::move(job.done));
    parts_->coordinator.submit(std::move(ending), [done](Result<op::EndJob::Outcome> outcome) {
        (*done)(answer_of(outcome));
    });
}

}  // namespace holdfast
