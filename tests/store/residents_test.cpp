// What a round sees of an instance that the round before it committed, whether it is loaded or was
// kept in memory (I29, I33). Whoever changes its rows outside of the rounds is seen too.
#include "store/residents.h"

#include "model/job.h"
#include "store/postgres/write/doubts.h"
#include "support/signal_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Kept : public ::testing::TestWithParam<const char*> {
protected:
    Kept() : world(GetParam()) {}

    // Of a flow that this node runs.
    InstanceId started(const NodeId& node) {
        return world.program({.node = node, .programs = {"program"}}).id;
    }
    void record(const InstanceId& id, std::uint64_t index) {
        world.change(id, [&](View& view, Instance& instance) {
            instance.index = index + 1;
            view.record(Step{.instance = id,
                             .index = index,
                             .name = "step",
                             .value = document(std::to_string(index)),
                             .at = view.now()});
        });
    }
    template <class Look>
    void look(const ReadSet& reads, Look look) {
        bool looked = false;
        world.round(reads, [&](View& view) {
            look(view);
            looked = true;
        });
        EXPECT_TRUE(looked);
    }
    ReadSet row(const InstanceId& id) {
        ReadSet reads;
        reads.instance(id, Depth::row);
        return reads;
    }

    SignalWorld world;
};

TEST_P(Kept, TheRowIsAsItWasCommitted) {
    const InstanceId id = started(world.join());
    record(id, 0);
    look(row(id), [&](View& view) {
        const Instance* found = view.find(id);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->version, 2u);
        EXPECT_EQ(found->index, 1u);
        EXPECT_FALSE(view.is_corrupt(id));
    });
    EXPECT_EQ((*world.store->ask(FindInstance{id, Depth::row}))->instance.version, 2u);
}

TEST_P(Kept, TheJournalEndsAtTheNextIndex) {
    const InstanceId id = started(world.join());
    record(id, 0);
    record(id, 1);
    ReadSet reads = row(id);
    for (const std::uint64_t index : {0, 1, 2}) reads.step(id, index);
    look(reads, [&](View& view) {
        ASSERT_TRUE(view.step(id, 0));
        EXPECT_EQ(view.step(id, 0)->value.text(), "0");
        ASSERT_TRUE(view.step(id, 1));
        EXPECT_EQ(view.step(id, 1)->value.text(), "1");
        EXPECT_FALSE(view.step(id, 2));
    });
}

TEST_P(Kept, ALeaseIsValidWhileItsNodeLives) {
    const NodeId node = world.join();
    const InstanceId id = started(node);
    KnownSignal held = world.continuation(id);
    ASSERT_TRUE(held.queued);
    EXPECT_EQ(held.queued->leased_by, node);
    EXPECT_TRUE(held.lease_valid);
    ASSERT_TRUE(world.store->leave(node).has_value());
    EXPECT_FALSE(world.continuation(id).lease_valid);
    const InstanceId other = started(world.ids.next<NodeId>());
    EXPECT_FALSE(world.continuation(other).lease_valid) << "its node never joined";
}

TEST_P(Kept, AClaimIsSeen) {
    const NodeId node = world.join();
    const InstanceId id = world.program().id;
    ASSERT_FALSE(world.continuation(id).queued->leased_by);
    ASSERT_EQ(world.claim(node, {"program"}).size(), 1u);
    const KnownSignal claimed = world.continuation(id);
    EXPECT_EQ(claimed.queued->leased_by, node);
    EXPECT_EQ(claimed.queued->attempts, 1u);
    EXPECT_TRUE(claimed.lease_valid);
}

TEST_P(Kept, ALeaseThatIsGivenBackIsSeen) {
    const NodeId node = world.join();
    const InstanceId id = started(node);
    const KnownSignal held = world.continuation(id);
    ASSERT_TRUE(
        world.store->give_back(held.queued->id, {node, held.queued->epoch}, 0s).has_value());
    EXPECT_FALSE(world.continuation(id).queued->leased_by);
}

TEST_P(Kept, AnEventThatIsQueuedIsSeen) {
    const InstanceId id = started(world.join());
    ReadSet reads = row(id);
    reads.inbox_size(id);
    look(reads, [&](View& view) { EXPECT_EQ(view.mail().inbox_size(id).events, 0u); });
    world.queued("go", id);
    look(reads, [&](View& view) { EXPECT_EQ(view.mail().inbox_size(id).events, 1u); });
}

TEST_P(Kept, AWaitForItsEndIsSeen) {
    const InstanceId id = started(world.join());
    ReadSet reads = row(id);
    reads.completion_waiters(id);
    look(reads, [&](View& view) { EXPECT_TRUE(view.completion_waiters(id)->empty()); });
    const Instance waiter = world.suspended({.workflows = {id}});
    look(reads, [&](View& view) {
        const auto waiters = view.completion_waiters(id);
        ASSERT_EQ(waiters->size(), 1u);
        EXPECT_EQ(waiters->front().instance, waiter.id);
    });
}

TEST_P(Kept, ATaskThatIsCreatedIsSeen) {
    const InstanceId id = started(world.join());
    ReadSet reads = row(id);
    reads.open_tasks(id);
    look(reads, [&](View& view) { EXPECT_TRUE(view.tasks().open(id).empty()); });
    world.round(id, [&](View& view) {
        HumanTask task{.id = world.ids.next<TaskId>(), .instance = id, .definition = "program"};
        task.created_at = view.now();
        view.tasks().accept(task, {.type = TaskEventType::created, .caller = {.user = "ann"}},
                            view.now());
    });
    look(reads, [&](View& view) { EXPECT_EQ(view.tasks().open(id).size(), 1u); });
}

TEST_P(Kept, AnEndedInstanceIsSeenAsEnded) {
    const InstanceId id = started(world.join());
    world.change(id, [&](View& view, Instance& instance) {
        instance.status = Status::succeeded;
        instance.completed_at = view.now();
    });
    ReadSet reads = row(id);
    reads.continuation(id);
    look(reads, [&](View& view) {
        EXPECT_EQ(view.find(id)->status, Status::succeeded);
        EXPECT_FALSE(view.signals().continuation(id));
    });
}

// Its rows are told from memory as the tables have them.
TEST_P(Kept, AProcessIsAsItWasCommitted) {
    Instance process = world.fresh_instance();
    process.run_by = RunBy::rounds;
    process.status = Status::suspended;
    process.state = document(R"({"variables":{"n":0}})");
    const auto activity = [&](const std::string& name) {
        return Activity{world.ids.next<ActivityInstanceId>(), name};
    };
    process.children.active = {activity("a"), activity("b"), activity("c")};
    const auto scope = [&](int n) {
        return VariableScope{world.ids.next<ScopeId>(),
                             document("{\"n\":" + std::to_string(n) + "}")};
    };
    process.children.variables = {scope(1), scope(2)};
    for (int n = 0; n < 3; ++n)
        add_wait(process, world.waiting({.names = {"go"}, .until = world.clock.now() + 1h}));
    const InstanceId id = process.id;
    world.round(id, [&](View& view) { MailWorld::insert(view, process, world.cause()); });
    const auto expect_the_tables = [&] {
        const auto stored = world.store->ask(FindInstance{id, Depth::whole});
        ReadSet reads;
        reads.instance(id, Depth::whole);
        look(reads, [&](View& view) { EXPECT_EQ(*view.find(id), (*stored)->instance); });
    };
    expect_the_tables();
    for (int n = 1; n < 4; ++n) {
        world.change(id, [&](View&, Instance& instance) {
            instance.state = document(R"({"variables":{"n":)" + std::to_string(n) + "}}");
            instance.children.active.erase(instance.children.active.begin());
            instance.children.active.push_back(activity("d"));
            instance.children.variables.insert(instance.children.variables.begin(), scope(n));
            take_wait(instance, TokenId(instance.waits.front().token));
        });
        expect_the_tables();
        // Without its documents and rows.
        world.round(row(id), [&](View& view) {
            view.accept(view.edit(id),
                        {.type = HistoryType::paused, .payload = "{}", .cause = world.cause()});
        });
        expect_the_tables();
    }
}

// Queued by its commit and leased to this node.
TEST_P(Kept, AJobIsSeenUntilItsLeaseIsAnothers) {
    const NodeId node = world.join();
    Instance process = world.fresh_instance();
    process.run_by = RunBy::rounds;
    const SignalId job = world.ids.next<SignalId>();
    world.round(process.id, [&](View& view) {
        view.set_self({.node = node, .programs = {"job:work"}, .room_for_jobs = 1});
        MailWorld::insert(view, process, world.cause());
        view.signals().enqueue_job(*job_row(job, process.id, {.type = "work"}, view.now()),
                                   view.self());
    });
    EXPECT_EQ(world.known(job).queued->leased_by, node);
    EXPECT_EQ(world.known(job).queued->attempts, 1u);
    EXPECT_TRUE(world.known(job).lease_valid);
    ASSERT_TRUE(world.store->give_back(job, {node, 1}, 0s).has_value());
    EXPECT_FALSE(world.known(job).queued->leased_by);
    const NodeId other = world.join("b");
    ASSERT_EQ(world.claim(other, {"job:work"}).size(), 1u);
    EXPECT_EQ(world.known(job).queued->leased_by, other);
    ASSERT_TRUE(world.store->leave(other).has_value());
    EXPECT_FALSE(world.known(job).lease_valid);
}

INSTANTIATE_TEST_SUITE_P(Stores, Kept, all_stores(), store_name);

// A view in which an instance was changed, as a round leaves it.
class Residence : public ::testing::Test {
protected:
    InstanceId commit(Residents& residents, Instance instance) {
        ReadSet reads;
        const InstanceId id = instance.id;
        reads.instance(id, Depth::row);
        View view(reads, Loaded{});
        view.insert(std::move(instance));
        residents.keep(reads, view.changes(), [](const InstanceId&) { return std::int64_t{7}; });
        return id;
    }
    Instance flow() {
        Instance instance{.id = ids.next<InstanceId>()};
        instance.run_by = RunBy::node;
        return instance;
    }

    SystemClock clock;
    IdSource ids{clock, 1};
};

TEST_F(Residence, OnlyTheLastOnesAreKept) {
    Residents residents(10);
    std::vector<InstanceId> all;
    for (int n = 0; n < 100; ++n) all.push_back(commit(residents, flow()));
    const auto kept = std::ranges::count_if(
        all, [&](const InstanceId& id) { return residents.find(id) != nullptr; });
    EXPECT_EQ(kept, 10);
    ASSERT_TRUE(residents.find(all.back()));
    EXPECT_EQ(residents.find(all.back())->row, 7);
    residents.forget_all();
    EXPECT_FALSE(residents.find(all.back()));
}

TEST_F(Residence, WhatAnotherNodeAnnouncesIsForgotten) {
    Residents residents(10);
    postgres::Doubts doubts;
    const InstanceId changed = commit(residents, flow());
    const InstanceId kept = commit(residents, flow());
    doubts.add({.awaken = {changed}});
    doubts.settle(residents);
    EXPECT_FALSE(residents.find(changed));
    EXPECT_TRUE(residents.find(kept));
    doubts.add({.everyone = true});
    doubts.settle(residents);
    EXPECT_FALSE(residents.find(kept));
}

TEST_F(Residence, OnlyOpenFlowsWithoutDocumentsAreKept) {
    Residents residents(10);
    Instance ended = flow();
    ended.status = Status::succeeded;
    EXPECT_FALSE(residents.find(commit(residents, ended)));
    Instance outside = flow();
    outside.run_by = RunBy::outside;
    EXPECT_FALSE(residents.find(commit(residents, outside)));
    Instance large = flow();
    large.state = document(R"({"a":1})");
    EXPECT_FALSE(residents.find(commit(residents, large)));
    EXPECT_TRUE(residents.find(commit(residents, flow())));
}

TEST_F(Residence, AProcessIsKeptWholeUnlessItIsLarge) {
    Residents residents(10);
    Instance process = flow();
    process.run_by = RunBy::rounds;
    process.state = document(R"({"a":1})");
    const InstanceId id = commit(residents, process);
    ASSERT_TRUE(residents.find(id));
    EXPECT_EQ(residents.find(id)->depth, Depth::whole);
    Instance large = flow();
    large.run_by = RunBy::rounds;
    large.state = document("{\"a\":\"" + std::string(10'000, 'x') + "\"}");
    EXPECT_FALSE(residents.find(commit(residents, large)));
    Instance wide = flow();
    wide.run_by = RunBy::rounds;
    for (int n = 0; n < 100; ++n)
        wide.children.active.push_back({ids.next<ActivityInstanceId>(), "a"});
    EXPECT_FALSE(residents.find(commit(residents, wide)));
}

TEST_F(Residence, TheJobsOfWhatIsForgottenAreForgotten) {
    Residents residents(2);
    Instance process = flow();
    process.run_by = RunBy::rounds;
    const SignalId job = ids.next<SignalId>();
    ReadSet reads;
    reads.instance(process.id, Depth::row);
    const auto commit_with_job = [&] {
        View view(reads, Loaded{});
        view.set_self({.node = ids.next<NodeId>(), .programs = {"job:work"}, .room_for_jobs = 1});
        view.insert(Instance(process));
        view.signals().enqueue_job(*job_row(job, process.id, {.type = "work"}, view.now()),
                                   view.self());
        residents.keep(reads, view.changes(), [](const InstanceId&) { return std::int64_t{7}; });
        EXPECT_TRUE(residents.find_job(job));
    };
    commit_with_job();
    residents.forget(process.id);
    EXPECT_FALSE(residents.find_job(job));
    commit_with_job();
    for (int n = 0; n < 3; ++n) commit(residents, flow());
    EXPECT_FALSE(residents.find(process.id));
    EXPECT_FALSE(residents.find_job(job));
}

}  // namespace
}  // namespace holdfast::testing
