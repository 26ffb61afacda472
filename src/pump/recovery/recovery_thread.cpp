#include "pump/recovery/recovery_thread.h"

#include <condition_variable>
#include <mutex>

#include "base/log.h"
#include "base/threads/threads.h"
#include "pump/outage.h"

namespace holdfast {
namespace {

void recover_until_done(Recovery& recovery, const std::stop_token& stop) {
    Outage outage("recovery");
    std::mutex mutex;
    std::condition_variable_any stopped;
    while (!stop.stop_requested()) {
        const auto report = recovery.recover([&] { return stop.stop_requested(); });
        if (report) {
            outage.over();
            log::info("recovery.done", {{"lookedAt", report->looked_at},
                                        {"woken", report->woken},
                                        {"repaired", report->repaired}});
            return;
        }
        std::unique_lock lock(mutex);
        stopped.wait_for(lock, stop, outage.failed(report.error()), [] { return false; });
    }
}

}  // namespace

RecoveryThread::RecoveryThread(Reads& store, Coordinator& coordinator, IdSource& ids)
    : thread_(named_thread("recovery", [&](std::stop_token stop) {
          Recovery recovery(store, ids, [&](std::vector<op::Recover> operations) {
              return coordinator.run_all(std::move(operations));
          });
          recover_until_done(recovery, stop);
      })) {}

void RecoveryThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

}  // namespace holdfast
