// Two real processes over one PostgreSQL: one suspends an instance until an event comes, the other
// sends that event at the same moment (001.3). Every event must be delivered exactly once. Built a
// second time with a planted defect: without the channel lock, and with both processes made to read
// before either writes, the same race must lose events; else it proves nothing.
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>

#include "base/ids/id_source.h"
#include "base/log.h"
#include "planted/defect.h"
#include "race/meeting.h"
#include "race/paused_store.h"
#include "round/shard.h"
#include "store/options.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

#ifdef HOLDFAST_LOCK_OFF
constexpr bool lock_is_off = true;
constexpr unsigned races = 1'000;
#else
constexpr bool lock_is_off = false;
constexpr unsigned races = 10'000;
#endif

std::string name_of_race(unsigned race) { return "race-" + std::to_string(race); }
InstanceId instance_of_race(unsigned race) {
    return {make_uuid_v7(Moment{std::chrono::seconds(1'900'000'000)}, race, race)};
}

// One process: its own store, its own connection, one round at a time.
class Racer {
public:
    Racer(const std::string& url, Meeting& meeting, std::uint64_t seed)
        : meeting_(meeting), ids_(clock_, seed), metrics_(registry_), random_(seed) {
        store_ = *open_store(url, {.clock = &clock_, .writers = 1, .readers = 1});
        auto writer = *store_->open_writer();
        if (lock_is_off)
            writer = std::make_unique<PausedWriter>(
                std::move(writer), [this] { meeting_.pass_by(race_, milliseconds(20)); });
        shard_ = std::make_unique<Shard>(std::move(writer), ids_, metrics_, ShardOptions{});
    }

    template <class Make>
    void race_all(Make make) {
        for (race_ = 1; race_ <= races; ++race_) {
            if (!meeting_.meet(race_, std::chrono::seconds(30))) _exit(3);
            meeting_.clear_way(race_);
            jitter();
            run(make(race_));
        }
    }
    Cause cause() { return {.operation = ids_.next<OperationId>()}; }
    EventId event() { return ids_.next<EventId>(); }

private:
    template <class Op>
    void run(Op op) {
        bool failed = false;
        Shard::Group group;
        group.push_back(std::make_unique<QueuedOperationOf<Op>>(
            std::move(op),
            [&failed](Result<typename Op::Outcome> outcome) { failed = !outcome.has_value(); }));
        ErrorCode why;
        shard_->push(group, why);
        while (shard_->run_round()) {
        }
        if (failed) _exit(4);
    }
    void jitter() {
        random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto end = std::chrono::steady_clock::now() +
                         microseconds((random_ >> 33) % (lock_is_off ? 1 : 300));
        while (std::chrono::steady_clock::now() < end) {
        }
    }

    Meeting& meeting_;
    unsigned race_ = 0;
    SystemClock clock_;
    IdSource ids_;
    prometheus::Registry registry_;
    CoordinatorMetrics metrics_;
    std::uint64_t random_;
    std::unique_ptr<Store> store_;
    std::unique_ptr<Shard> shard_;
};

template <class Work>
pid_t in_another_process(Work work) {
    const pid_t child = fork();
    if (child != 0) return child;
    log::set_level(log::Level::off);
    work();
    _exit(0);
}

bool ended_well(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void start_instances(const std::string& url) {
    const SystemClock clock;
    auto store = *open_store(url, {.clock = &clock, .writers = 1, .readers = 1});
    auto writer = *store->open_writer();
    for (unsigned first = 1; first <= races; first += 500) {
        ReadSet reads;
        for (unsigned race = first; race < first + 500 && race <= races; ++race)
            reads.instance(instance_of_race(race), Depth::row);
        IdSource ids(clock);
        const auto done = writer->commit({ids.next<RoundId>(), reads}, [&](View& view) {
            for (const auto& [id, need] : reads.instances()) {
                Instance& instance = view.insert(Instance{.id = id});
                view.accept(instance, {.type = HistoryType::started, .payload = "{}"});
            }
        });
        if (!done) throw std::runtime_error(done.error().message);
    }
}

struct Count {
    unsigned delivered = 0;
    unsigned asleep_beside = 0;
    unsigned doubled = 0;
};

Count count(const StorePlace& place) {
    const auto number = [&](const std::string& sql) {
        return static_cast<unsigned>(std::stoul(place.query(sql)));
    };
    return {
        number("select count(*) from instances where status = 'running' and activity_index = 1"),
        number("select count(*) from waits w join pending_events e on e.name = w.name"),
        number("select count(*) - count(distinct event_id) from event_fates")};
}

}  // namespace

int run() {
    StorePlace place("postgres");
    start_instances(place.url());
    Meeting& meeting = Meeting::make();
    const auto began = std::chrono::steady_clock::now();
    const pid_t suspender = in_another_process([&] {
        Racer racer(place.url(), meeting, 1);
        racer.race_all([&](unsigned race) {
            return op::Suspend{.cause = racer.cause(),
                               .instance = instance_of_race(race),
                               .run = {1, 0},
                               .wait = {.names = {name_of_race(race)}}};
        });
    });
    const pid_t sender = in_another_process([&] {
        Racer racer(place.url(), meeting, 2);
        racer.race_all([&](unsigned race) {
            return op::SendEvent{.cause = racer.cause(),
                                 .event = racer.event(),
                                 .event_name = name_of_race(race),
                                 .value = Document{}};
        });
    });
    const bool well = ended_well(suspender) & ended_well(sender);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    const Count found = count(place);
    std::cout << races << " races of two processes" << (lock_is_off ? ", channel lock off" : "")
              << ": " << found.delivered << " delivered, " << found.asleep_beside << " lost, "
              << found.doubled << " doubled, " << took.count() << " s\n";
    if (!well) std::cout << "a process failed\n";
    if (lock_is_off) return well && found.asleep_beside > 0 && found.doubled == 0 ? 0 : 1;
    return well && found.delivered == races && found.asleep_beside == 0 && found.doubled == 0 ? 0
                                                                                              : 1;
}

}  // namespace holdfast::testing

int main() {
    if constexpr (holdfast::testing::lock_is_off) holdfast::planted_defect = "no_channel_lock";
    return holdfast::testing::run();
}
