// Rounds that are decided on residents on PostgreSQL: what they cost, and that nothing stale is
// believed (I33). Another writer, as another node or another shard has one, changes the rows.
#include <dlfcn.h>

#include <atomic>

#include "base/threads/threads.h"
#include "model/job.h"
#include "operations/events/suspend.h"
#include "support/signal_world.h"

namespace {

std::atomic<int> trips;

}  // namespace

// Instead of libpq's, which it calls: each is one round trip.
struct pg_conn;
extern "C" int PQpipelineSync(pg_conn* connection) {
    static const auto next =
        reinterpret_cast<int (*)(pg_conn*)>(::dlsym(RTLD_NEXT, "PQpipelineSync"));
    ++trips;
    return next(connection);
}

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Recalled : public ::testing::Test {
protected:
    Recalled()
        : world("postgres"),
          node(world.join()),
          here{.node = node, .programs = {"program"}},
          other(*world.store->open_writer()) {
        world.define("program");
    }

    // Of a flow that this node runs: resident in the first writer.
    InstanceId started() { return world.program(here).id; }

    ReadSet reads_of(const InstanceId& id) {
        ReadSet reads;
        reads.instance(id, Depth::row);
        reads.continuation(id);
        return reads;
    }
    // A step of the flow, decided as often as it says.
    template <class Look>
    int step(const ReadSet& reads, const InstanceId& id, Look look) {
        int decided = 0;
        const auto done = world.writer->commit({world.ids.next<RoundId>(), reads}, [&](View& view) {
            ++decided;
            look(view);
            accept(view, id);
        });
        EXPECT_TRUE(done) << done.error().message;
        return decided;
    }
    int step(const InstanceId& id) {
        return step(reads_of(id), id, [](View&) {});
    }
    void accept(View& view, const InstanceId& id) {
        view.accept(view.edit(id),
                    {.type = HistoryType::written, .payload = "{}", .cause = world.cause()});
    }
    // By the other writer.
    template <class Change>
    void elsewhere(const ReadSet& reads, Change change) {
        const auto done = other->commit({world.ids.next<RoundId>(), reads}, change);
        ASSERT_TRUE(done) << done.error().message;
    }

    SignalWorld world;
    const NodeId node;
    const Self here;
    std::unique_ptr<Writer> other;
};

TEST_F(Recalled, ARoundOnResidentsIsOneTrip) {
    const InstanceId id = started();
    step(id);
    trips = 0;
    EXPECT_EQ(step(id), 1);
    EXPECT_EQ(trips, 1);
}

TEST_F(Recalled, AStartIsOneTrip) {
    started();
    const Instance fresh = world.fresh_program();
    ReadSet reads;
    reads.instance(fresh.id, Depth::row);
    reads.definition({"default", "program"});
    trips = 0;
    world.round(reads, [&](View& view) {
        EXPECT_TRUE(view.newest_definition({"default", "program"}));
        EXPECT_FALSE(view.find(fresh.id));
        MailWorld::insert(view, fresh, world.cause());
    });
    EXPECT_EQ(trips, 1);
    EXPECT_EQ(world.read(fresh.id).version, 1u);
}

// A wait on a channel that this writer has used, and the event that ends it.
TEST_F(Recalled, AWaitOnAQuietChannelIsOneTrip) {
    const auto suspend = [&](const InstanceId& id) {
        const KnownSignal held = world.continuation(id);
        op::Suspend op{.cause = world.cause(),
                       .instance = id,
                       .run = {1, 0, Lease{node, held.queued->epoch}},
                       .wait = {.names = {"go"}}};
        ReadSet reads;
        op::reads(op, reads);
        trips = 0;
        int decided = 0;
        world.round(reads, [&](View& view) {
            ++decided;
            EXPECT_TRUE(std::holds_alternative<op::Asleep>(op::decide(op, view)));
        });
        EXPECT_EQ(decided, 1);
        return trips.load();
    };
    EXPECT_EQ(suspend(started()), 2) << "the channel is new";
    EXPECT_EQ(suspend(started()), 1);
    world.queued("go");
    const InstanceId id = started();
    ReadSet reads = reads_of(id);
    reads.inbox(id, "go");
    reads.broadcasts(testing::channel("go"));
    std::vector<bool> found;
    step(reads, id, [&](View& view) {
        found.push_back(view.mail()
                            .find(*view.find(id), world.waiting({.names = {"go"}}), view.now())
                            .has_value());
    });
    EXPECT_EQ(found, (std::vector{false, true})) << "something is queued there";
}

TEST_F(Recalled, AnEventThatIsQueuedElsewhereIsSeenByTheEnd) {
    const InstanceId id = started();
    const Event event = world.event("go", id);
    ReadSet theirs;
    theirs.instance(id, Depth::row);
    theirs.event(event.id);
    elsewhere(theirs, [&](View& view) {
        view.edit(id);
        view.mail().queue(event);
    });
    ReadSet reads = reads_of(id);
    reads.inbox_size(id);
    std::vector<std::size_t> seen;
    step(reads, id, [&](View& view) { seen.push_back(view.mail().inbox_size(id).events); });
    EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1}));
    seen.clear();
    step(reads, id, [&](View& view) { seen.push_back(view.mail().inbox_size(id).events); });
    EXPECT_EQ(seen, (std::vector<std::size_t>{1})) << "nothing is assumed about it any more";
}

// The row is new then, but not what was known beside it.
TEST_F(Recalled, ALoadForgetsWhatWasKnownBesideAMovedRow) {
    const InstanceId id = started();
    const Event event = world.event("go", id);
    ReadSet theirs;
    theirs.instance(id, Depth::row);
    elsewhere(theirs, [&](View& view) {
        view.edit(id);
        view.mail().queue(event);
    });
    ReadSet loaded = reads_of(id);
    loaded.instance(world.running(), Depth::row);  // makes the round load
    EXPECT_EQ(step(loaded, id, [](View&) {}), 1);
    ReadSet reads = reads_of(id);
    reads.inbox_size(id);
    std::size_t seen = 0;
    step(reads, id, [&](View& view) { seen = view.mail().inbox_size(id).events; });
    EXPECT_EQ(seen, 1u);
}

TEST_F(Recalled, AnInstanceThatIsNotResidentIsLoaded) {
    const InstanceId id = started();
    const InstanceId stranger = world.running();
    ReadSet reads = reads_of(id);
    reads.instance(stranger, Depth::row);
    trips = 0;
    world.round(reads, [&](View& view) {
        accept(view, id);
        accept(view, stranger);
    });
    EXPECT_EQ(trips, 2);
}

TEST_F(Recalled, AMovedRowIsLoaded) {
    const InstanceId id = started();
    elsewhere(reads_of(id), [&](View& view) { accept(view, id); });
    std::vector<Version> seen;
    EXPECT_EQ(step(reads_of(id), id, [&](View& view) { seen.push_back(view.find(id)->version); }),
              2);
    EXPECT_EQ(seen, (std::vector<Version>{1, 2}));
    EXPECT_EQ(world.read(id).version, 3u);
    EXPECT_EQ(step(id), 1) << "it is resident again";
}

// Of the residents of that round only those are forgotten.
TEST_F(Recalled, OthersStayResidentWhenOneHasMoved) {
    const InstanceId moved = started();
    const InstanceId still = started();
    elsewhere(reads_of(moved), [&](View& view) { accept(view, moved); });
    EXPECT_EQ(step(moved), 2);
    trips = 0;
    EXPECT_EQ(step(still), 1);
    EXPECT_EQ(trips, 1);
}

TEST_F(Recalled, ARefusalIsToldOnlyAfterALoad) {
    const InstanceId id = started();
    elsewhere(reads_of(id), [&](View& view) {
        Instance& instance = view.edit(id);
        instance.status = Status::succeeded;
        instance.completed_at = view.now();
        accept(view, id);
    });
    std::vector<Status> seen;
    world.round(reads_of(id), [&](View& view) { seen.push_back(view.find(id)->status); });
    EXPECT_EQ(seen, (std::vector{Status::running, Status::succeeded}));
}

// Also one that writes something about another instance, or only an answer.
TEST_F(Recalled, WhatIsOnlyReadIsLoaded) {
    const InstanceId id = started();
    const InstanceId read = started();
    ReadSet reads = reads_of(id);
    reads.instance(read, Depth::row);
    trips = 0;
    EXPECT_EQ(step(reads, id, [](View&) {}), 2);
    EXPECT_EQ(trips, 2) << "nothing was sent before the load";
}

TEST_F(Recalled, AStartUnderAnIdThatIsThereIsLoaded) {
    started();
    const Instance there = world.fresh_program();
    ReadSet reads;
    reads.instance(there.id, Depth::row);
    reads.definition({"default", "program"});
    elsewhere(reads, [&](View& view) { MailWorld::insert(view, there, world.cause()); });
    std::vector<bool> seen;
    world.round(reads, [&](View& view) {
        seen.push_back(view.find(there.id) != nullptr);
        if (!seen.back()) MailWorld::insert(view, there, world.cause());
    });
    EXPECT_EQ(seen, (std::vector{false, true}));
}

TEST_F(Recalled, AnAnswerThatIsThereIsLoaded) {
    const InstanceId id = started();
    const TenantKey key{"default", "once"};
    const auto answer = [&](View& view) {
        view.put(KeyedOutcome{.key = key,
                              .outcome = "{}",
                              .operation = world.ids.next<OperationId>(),
                              .at = view.now()});
    };
    ReadSet keyed;
    keyed.answer(key);
    elsewhere(keyed, answer);
    ReadSet reads = reads_of(id);
    reads.answer(key);
    std::vector<bool> seen;
    step(reads, id, [&](View& view) {
        seen.push_back(view.answer(key) != nullptr);
        if (!seen.back()) answer(view);
    });
    EXPECT_EQ(seen, (std::vector{false, true}));
}

TEST_F(Recalled, AWaitThatBeganElsewhereIsSeenByTheEnd) {
    const InstanceId awaited = started();
    Instance sleeper = world.fresh_instance();
    sleeper.status = Status::suspended;
    sleeper.waits = {world.waiting({.workflows = {awaited}})};
    ReadSet theirs;
    theirs.instance(sleeper.id, Depth::whole, Past::looked_up);
    theirs.instance(awaited, Depth::row);
    elsewhere(theirs, [&](View& view) { MailWorld::insert(view, sleeper, world.cause()); });
    ReadSet ours = reads_of(awaited);
    ours.completion_waiters(awaited);
    std::vector<std::size_t> seen;
    step(ours, awaited,
         [&](View& view) { seen.push_back(view.completion_waiters(awaited)->size()); });
    EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1}));
}

TEST_F(Recalled, ALeaseThatExpiredIsSeen) {
    const InstanceId id = started();
    world.expire_lease(node);
    std::vector<bool> valid;
    step(reads_of(id), id,
         [&](View& view) { valid.push_back(view.signals().continuation(id)->lease_valid); });
    EXPECT_EQ(valid, (std::vector{true, false}));
}

TEST_F(Recalled, AClaimByAnotherNodeIsSeen) {
    const InstanceId id = started();
    const KnownSignal held = world.continuation(id);
    ASSERT_TRUE(world.store->give_back(held.queued->id, {node, held.queued->epoch}, 0s));
    const NodeId thief = world.join("b");
    ASSERT_EQ(world.claim(thief, {"program"}).size(), 1u);
    step(id);  // whatever was known is forgotten or moved
    std::vector<NodeId> holders;
    step(reads_of(id), id, [&](View& view) {
        holders.push_back(*view.signals().continuation(id)->queued->leased_by);
    });
    EXPECT_EQ(holders.back(), thief);
}

TEST_F(Recalled, ANewVersionOfADefinitionIsSeen) {
    started();
    const auto newest = [&] {
        const Instance fresh = world.fresh_program();
        ReadSet reads;
        reads.instance(fresh.id, Depth::row);
        reads.definition({"default", "program"});
        std::vector<std::uint32_t> seen;
        world.round(reads, [&](View& view) {
            seen.push_back(view.newest_definition({"default", "program"})->ref.version);
            MailWorld::insert(view, fresh, world.cause());
        });
        return seen;
    };
    newest();
    EXPECT_EQ(newest(), std::vector<std::uint32_t>{1});
    world.place.execute(
        "insert into definitions select (jsonb_populate_record(d, '{\"version\":2}')).* "
        "from definitions d where key = 'program'");
    EXPECT_EQ(newest(), (std::vector<std::uint32_t>{1, 2}));
}

// A process with a document, rows, two waits and a job that this node holds.
class RecalledProcess : public Recalled {
protected:
    RecalledProcess() {
        Instance process = world.fresh_instance();
        process.run_by = RunBy::rounds;
        process.state = document(R"({"variables":{"n":0}})");
        process.children.active = {{world.ids.next<ActivityInstanceId>(), "a"}};
        process.status = Status::suspended;
        for (int n = 0; n < 2; ++n) add_wait(process, world.waiting({.names = {"task/1"}}));
        id = process.id;
        reads.instance(id, Depth::whole);
        reads.signal(job);
        world.round(id, [&](View& view) {
            view.set_self({.node = node, .programs = {"job:work"}, .room_for_jobs = 1});
            MailWorld::insert(view, process, world.cause());
            view.signals().enqueue_job(*job_row(job, id, {.type = "work"}, view.now()),
                                       view.self());
        });
    }
    // The state as it was each time that the end of the job was decided.
    std::vector<std::string> end_job() {
        std::vector<std::string> seen;
        step(reads, id, [&](View& view) {
            seen.push_back(view.find(id)->state.text());
            const KnownSignal known = view.signals().known(job);
            if (known.queued && known.lease_valid && known.queued->leased_by == node)
                view.signals().drop(*known.queued);
            view.edit(id).state = document(R"({"variables":{"n":1}})");
            view.edit(id).children.active.clear();
        });
        return seen;
    }

    InstanceId id;
    const SignalId job = world.ids.next<SignalId>();
    ReadSet reads;
};

TEST_F(RecalledProcess, TheEndOfAJobIsOneTrip) {
    trips = 0;
    EXPECT_EQ(end_job().size(), 1u);
    EXPECT_EQ(trips, 1);
    EXPECT_EQ(world.place.query("select count(*) from signal_queue"), "0");
    EXPECT_EQ(world.place.query("select count(*) from activities"), "0");
    EXPECT_EQ(world.read(id).state, document(R"({"variables":{"n":1}})"));
}

TEST_F(RecalledProcess, AJobThatGoesOnIsCompared) {
    ReadSet other_reads = reads;
    trips = 0;
    EXPECT_EQ(step(other_reads, id, [](View&) {}), 1);
    EXPECT_EQ(trips, 1);
    world.place.execute("update signal_queue set epoch = epoch + 1");
    EXPECT_EQ(step(other_reads, id, [](View&) {}), 2);
}

TEST_F(RecalledProcess, AStateThatIsEditedElsewhereIsSeen) {
    ReadSet theirs;
    theirs.instance(id, Depth::whole);
    elsewhere(theirs, [&](View& view) {
        view.edit(id).state = document(R"({"variables":{"n":7}})");
        accept(view, id);
    });
    EXPECT_EQ(end_job(),
              (std::vector<std::string>{R"({"variables":{"n":0}})", R"({"variables":{"n":7}})"}));
}

TEST_F(RecalledProcess, AJobThatAnotherNodeTookOverIsNotEnded) {
    world.expire_lease(node);
    const NodeId thief = world.join("b");
    ASSERT_EQ(world.claim(thief, {"job:work"}).size(), 1u);
    EXPECT_EQ(end_job().size(), 2u);
    EXPECT_EQ(world.known(job).queued->leased_by, thief);
}

// Each has the other's instances as residents, and they lock them in the order of their keys.
TEST_F(Recalled, TwoWritersWithTheSameResidentsDoNotDeadlock) {
    std::vector<InstanceId> ids;
    ReadSet reads;
    for (int n = 0; n < 16; ++n) {
        ids.push_back(started());
        reads.instance(ids.back(), Depth::row);
    }
    const auto run = [&](Writer& writer, int rounds) {
        for (int n = 0; n < rounds; ++n) {
            const auto done = writer.commit({world.ids.next<RoundId>(), reads}, [&](View& view) {
                for (const InstanceId& id : ids) accept(view, id);
            });
            EXPECT_TRUE(done) << done.error().message;
        }
    };
    {
        const std::jthread second =
            named_thread("second", [&](const std::stop_token&) { run(*other, 30); });
        run(*world.writer, 30);
    }
    for (const InstanceId& id : ids) EXPECT_EQ(world.read(id).version, 61u);
    EXPECT_EQ(world.place.query("select deadlocks from pg_stat_database "
                                "where datname = current_database()"),
              "0");
}

}  // namespace
}  // namespace holdfast::testing
