// A world with callers of several tenants, and something of everything that a caller can name.
#pragma once

#include "store/tenant_reads.h"
#include "support/world.h"

namespace holdfast::testing {

// What one tenant has: ids of everything that operations and reads can name.
struct Belongings {
    InstanceId instance;  // open, with a checkpoint `c` and a wait for the event `paid`
    TokenId token;
    TaskId task;
    EventId delayed;
    EventId dead;
    SignalId letter;
    SignalId queued;  // leased to the node of the world
    Lease lease;
};

class TenantWorld : public World {
public:
    explicit TenantWorld(const std::string& kind) : World(kind) { define_program("checkout"); }

    Cause cause_of(const std::string& tenant) {
        Cause its = cause("ann");
        its.caller.tenant = tenant;
        its.caller.groups = {"clerks"};
        its.caller.roles = {"editor"};
        return its;
    }
    TenantReads reads(const std::string& tenant) { return {*store, cause_of(tenant).caller}; }

    InstanceId start_of(const std::string& tenant, const std::string& key = "orders") {
        run(op::Define{.cause = cause_of(tenant), .key = key});
        return std::get<op::Started>(run(op::Start{.cause = cause_of(tenant),
                                                   .definition = key,
                                                   .business = {.key = "b-1", .parts = {}},
                                                   .state = document(R"({"n":1})"),
                                                   .state_metadata = document("{}")}))
            .instance.id;
    }
    op::SendEvent event_of(const std::string& tenant, std::optional<InstanceId> target) {
        return {.cause = cause_of(tenant),
                .event = ids.next<EventId>(),
                .event_name = "paid",
                .target = target,
                .value = document("5")};
    }
    Belongings belongings_of(const std::string& tenant) {
        Belongings all;
        all.instance = start_of(tenant);
        run(op::Checkpoint{.cause = cause_of(tenant), .instance = all.instance, .checkpoint = "c"});
        all.task = std::get<op::TaskCreated>(run(op::CreateTask{.cause = cause_of(tenant),
                                                                .instance = all.instance,
                                                                .step_name = "ask",
                                                                .spec = {.name = "ask"}}))
                       .task.id;
        all.token = std::get<op::Asleep>(run(op::Suspend{.cause = cause_of(tenant),
                                                         .instance = all.instance,
                                                         .run = {1, 1, {}},
                                                         .wait = {.names = {"paid"}}}))
                        .token;
        op::SendEvent later = event_of(tenant, all.instance);
        later.after = std::chrono::hours(1);
        run(later);
        all.delayed = later.event;
        all.dead = dead_event_of(tenant);
        all.letter = enqueued_for(tenant, all.instance);
        run(op::BurySignal{.cause = Cause::of_engine(ids.next<OperationId>()),
                           .instance = all.instance,
                           .signal = all.letter,
                           .lease = claimed(all.letter)});
        all.queued = enqueued_for(tenant, all.instance);
        all.lease = claimed(all.queued);
        return all;
    }
    // Ids that nobody has.
    Belongings nobodys() {
        return {.instance = ids.next<InstanceId>(),
                .token = ids.next<TokenId>(),
                .task = ids.next<TaskId>(),
                .delayed = ids.next<EventId>(),
                .dead = ids.next<EventId>(),
                .letter = ids.next<SignalId>(),
                .queued = ids.next<SignalId>(),
                .lease = {ids.next<NodeId>(), 1}};
    }

private:
    EventId dead_event_of(const std::string& tenant) {
        const InstanceId target = start_of(tenant);
        op::SendEvent sent = event_of(tenant, target);
        sent.on_target_ended = OnTargetEnded::dead_letter;
        run(sent);
        run(op::Finish{.cause = cause_of(tenant), .instance = target, .run = {1, 0, {}}});
        return sent.event;
    }
    SignalId enqueued_for(const std::string& tenant, const InstanceId& id) {
        const op::EnqueueSignal signal{.cause = cause_of(tenant),
                                       .signal = ids.next<SignalId>(),
                                       .instance = id,
                                       .payload = document("{}")};
        run(signal);
        return signal.signal;
    }
    Lease claimed(const SignalId& id) {
        const auto found = store->claim({.node = *self.node, .programs = {"checkout"}});
        for (const SignalRow& row : found->signals)
            if (row.id == id) return {*row.leased_by, row.epoch};
        ADD_FAILURE() << "the signal was not claimed";
        return {};
    }
};

}  // namespace holdfast::testing
