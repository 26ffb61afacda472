// A world for tests that commit their own rounds on signals, nodes and retention.
#pragma once

#include <string>
#include <vector>

#include "support/mail_world.h"

namespace holdfast::testing {

class SignalWorld : public MailWorld {
public:
    explicit SignalWorld(const std::string& kind) : MailWorld(kind) {}

    // A node with a lease of an hour.
    NodeId join(const std::string& name = "a") {
        const auto node = ids.next<NodeId>();
        EXPECT_TRUE(store->join({node, name, std::chrono::hours(1)}).has_value());
        return node;
    }
    // Makes the lease expire by the store's clock.
    void expire_lease(const NodeId& node) {
        EXPECT_TRUE(store->beat(node, std::chrono::microseconds(0), {}).has_value());
    }

    Instance fresh_program() {
        Instance instance = fresh_instance();
        instance.definition.key = "program";
        instance.run_by = RunBy::node;
        return instance;
    }
    // Stores an instance with a program.
    Instance program(const Self& here = {}) {
        const Instance instance = fresh_program();
        round(instance.id, [&](View& view) {
            view.set_self(here);
            insert(view, instance, cause());
        });
        return instance;
    }
    // Commits one accepted change of an instance.
    template <class Change>
    void change(const InstanceId& id, Change change, const Self& here = {}) {
        ReadSet reads;
        reads.instance(id, Depth::whole);
        reads.continuation(id);
        round(reads, [&](View& view) {
            view.set_self(here);
            Instance& instance = view.edit(id);
            change(view, instance);
            view.accept(instance,
                        {.type = HistoryType::written, .payload = "{}", .cause = cause()});
        });
    }
    void suspend(const InstanceId& id, const std::string& name = "go") {
        change(id, [&](View&, Instance& instance) {
            instance.status = Status::suspended;
            instance.waits = {waiting({.names = {name}})};
        });
    }
    void wake(const InstanceId& id, const Self& here = {}) {
        change(
            id,
            [](View&, Instance& instance) {
                instance.status = Status::running;
                instance.waits.clear();
            },
            here);
    }

    KnownSignal continuation(const InstanceId& id) {
        KnownSignal known;
        ReadSet reads;
        reads.instance(id, Depth::row);
        reads.continuation(id);
        round(reads, [&](View& view) {
            if (const KnownSignal* found = view.signals().continuation(id)) known = *found;
        });
        return known;
    }
    KnownSignal known(const SignalId& id) {
        KnownSignal known;
        ReadSet reads;
        reads.signal(id);
        round(reads, [&](View& view) { known = view.signals().known(id); });
        return known;
    }

    SignalRow signal(const InstanceId& to, Moment at, const std::string& envelope = "{}") {
        return {.id = ids.next<SignalId>(),
                .instance = to,
                .type = SignalType::external_signal,
                .enqueued_at = at,
                .visible_at = at,
                .envelope = envelope};
    }
    SignalRow enqueued(SignalRow row) {
        round(ReadSet{}, [&](View& view) { view.signals().enqueue(row); });
        return row;
    }
    // Enqueued a minute ago, so that it is visible to a claim.
    SignalRow enqueued(const InstanceId& to, const std::string& envelope = "{}") {
        return enqueued(signal(to, past(std::chrono::minutes(1)), envelope));
    }
    Moment past(std::chrono::microseconds ago) { return *store->ask(FindTime{}) - ago; }

    std::vector<SignalRow> claim(const NodeId& node, std::vector<std::string> programs = {},
                                 std::size_t limit = 64) {
        auto claimed = store->claim({node, std::move(programs), limit});
        EXPECT_TRUE(claimed.has_value()) << (claimed ? "" : claimed.error().message);
        return claimed ? claimed->signals : std::vector<SignalRow>{};
    }
    DeadLetter letter(const SignalRow& row) {
        return {.signal = row,
                .reason = DeadLetterReason::undecodable,
                .detail = "not JSON",
                .node = "a",
                .at = row.enqueued_at};
    }
    void bury(const SignalRow& row) {
        ReadSet reads;
        reads.signal(row.id);
        round(reads, [&](View& view) { view.signals().bury(letter(row)); });
    }
};

}  // namespace holdfast::testing
