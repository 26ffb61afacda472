#include "pump/recovery/recovery_thread.h"

#include "base/log.h"
#include "base/threads/threads.h"

namespace holdfast {
RecoveryThread::RecoveryThread(Store& store, Coordinator& coordinator, IdSource& ids)
    : thread_(named_thread("recovery", [&](std::stop_token stop) {
          Recovery recovery(store, ids, [&](std::vector<op::Recover> operations) {
              return coordinator.run_all(std::move(operations));
          });
          const auto report = recovery.recover([&] { return stop.stop_requested(); });
          if (!report)
              log::warn("recovery.failed", {{"message", report.error().message},
                                            {"next", "repeated at the next start"}});
          else
              log::info("recovery.done", {{"lookedAt", report->looked_at},
                                          {"woken", report->woken},
                                          {"repaired", report->repaired}});
      })) {}

void RecoveryThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

}  // namespace holdfast
