#include "pump/timers/timer_pump.h"

#include "base/log.h"

namespace holdfast {
namespace {

constexpr std::size_t timer_burst = 4'096;
// A due timer that no round can fire is corrupt data; the pump must not spin on it.
constexpr std::chrono::microseconds stuck_pause = std::chrono::seconds(30);

}  // namespace

Result<std::optional<NextDue>> TimerPump::look() {
    for (;;) {
        HF_TRY(auto timers, store_.ask(FindDueTimers{timer_burst}));
        if (timers.due.empty()) {
            if (!timers.next) return std::nullopt;
            return NextDue{*timers.next, *timers.next - timers.now};
        }
        HF_TRY(auto fired, fire(timers.due));
        if (fired > 0) continue;
        // Another node may have fired them; then they are gone now.
        HF_TRY(auto again, store_.ask(FindDueTimers{timer_burst}));
        if (again.due != timers.due) continue;
        log::error("timers.stuck", {{"timers", timers.due.size()},
                                    {"first", to_string(timers.due.front().instance)},
                                    {"next", "retried in 30 s"}});
        return NextDue{timers.now + stuck_pause, stuck_pause};
    }
}

Result<std::size_t> TimerPump::fire(const std::vector<DueTimer>& due) {
    std::vector<op::FireTimer> operations;
    operations.reserve(due.size());
    for (const DueTimer& timer : due)
        operations.push_back({.cause = Cause::of_engine(ids_.next<OperationId>()),
                              .instance = timer.instance,
                              .token = timer.token});
    std::size_t fired = 0;
    for (const auto& outcome : fire_(std::move(operations))) {
        if (!outcome) return std::unexpected(outcome.error());
        const auto* done = std::get_if<op::Fired>(&*outcome);
        if (!done) continue;
        ++fired;
        metrics_.timer_lateness.Observe(
            std::chrono::duration<double>(done->reached - done->due).count());
    }
    return fired;
}

}  // namespace holdfast
