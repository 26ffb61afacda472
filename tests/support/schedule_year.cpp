#include "support/schedule_year.h"

#include <boost/json.hpp>
#include <random>
#include <stdexcept>

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

// Applies what a store would keep of a reaction.
class Kept {
public:
    Kept(const YearPlan& plan) : random_(plan.seed) {
        bj::object spec = plan.spec;
        spec["send"] = bj::object{{"event", "tick"}, {"value", "${due}"}};
        instance_ = {.id = schedule_of("default", "year"),
                     .status = Status::suspended,
                     .version = 1,
                     .created_at = plan.begin};
        instance_.state = schedule::first_state(spec);
        now_ = plan.begin;
        const Document nothing;
        take(schedule_program()->react(instance_, stimulus::Started{nothing}, now_));
    }

    // False: nothing is due by the end.
    bool wait(const YearPlan& plan) {
        const Waiting waiting = instance_.waits.front();
        if (!waiting.wait.until || *waiting.wait.until > plan.end) return false;
        now_ = std::max(now_, *waiting.wait.until + lateness(plan));
        instance_.waits.clear();
        take(schedule_program()->react(instance_,
                                       stimulus::TimerReached{waiting, *waiting.wait.until}, now_));
        return true;
    }

    std::vector<Moment> fired;

private:
    std::chrono::microseconds lateness(const YearPlan& plan) {
        const auto up_to = [&](std::chrono::microseconds most) {
            return std::chrono::microseconds(
                most.count() == 0 ? 0 : static_cast<std::int64_t>(random_() % most.count()));
        };
        return random_() % 50 == 0 ? up_to(plan.outage) : up_to(plan.latest);
    }

    void take(Reaction reaction) {
        if (reaction.incident) throw std::runtime_error(reaction.incident->detail);
        instance_.version += reaction.history.size();
        instance_.state = reaction.state.value();
        for (const Reaction::Begin& begin : reaction.begin)
            instance_.waits.push_back({.token = begin.token, .wait = begin.wait});
        for (const Reaction::Send& event : reaction.events)
            fired.push_back(parse_iso8601(event.value.value().as_string()).value());
    }

    std::mt19937_64 random_;
    Instance instance_;
    Moment now_;
};

}  // namespace

std::vector<Moment> fire_through(const YearPlan& plan) {
    Kept kept(plan);
    while (kept.wait(plan)) {
    }
    std::erase_if(kept.fired, [&](Moment due) { return due > plan.end; });
    return kept.fired;
}

}  // namespace holdfast::testing
