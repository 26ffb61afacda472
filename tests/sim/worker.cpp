#include "sim/worker.h"

#include <algorithm>
#include <boost/json.hpp>

#include "model/job.h"

namespace holdfast::sim {

Result<void> Worker::run(const Work& work) {
    look_at(work);
    Random& random = database_.random();
    database_.scheduler().sleep(std::chrono::milliseconds(random.below(800)));
    if (database_.faults().strikes(Fault::crash_in_handler, random, 1)) {
        database_.on_crash(database_.scheduler().current_node());
        throw Crashed{};
    }
    if (database_.faults().strikes(Fault::handler_fails, random, 2))
        return fail(ErrorCode::internal, "injected failure of a worker");
    std::vector<op::EndJob> ends{{.cause = {.operation = node_.ids().next<OperationId>()},
                                  .instance = work.instance,
                                  .signal = work.id,
                                  .lease = work.lease,
                                  .result = Document::of(boost::json::object{
                                      {"variables", boost::json::object{{"worked", true}}}})}};
    const auto outcome = std::move(node_.run_all(std::move(ends)).front());
    if (!outcome) return std::unexpected(outcome.error());
    const auto* ended = std::get_if<op::JobEnded>(&*outcome);
    if (!ended) return fail(ErrorCode::conflict, "it is paused, or the lease is over");
    if (ended->taken && !database_.ledger().jobs.insert(work.id).second)
        database_.violation("I9: a job ended twice: " + to_string(work.id));
    return {};
}

// What comes with a job is at least as new as the commit that made it.
void Worker::look_at(const Work& work) {
    if (!work.instance_row) return;
    ++database_.ledger().answers["a job came with its commit"];
    const auto spec = job_in(*work.signal);
    const auto& active = work.instance_row->children.active;
    const bool begun =
        spec && std::ranges::find(active, spec->activity, &Activity::id) != active.end();
    if (!begun) database_.violation("a job came with an older process: " + to_string(work.id));
}

}  // namespace holdfast::sim
