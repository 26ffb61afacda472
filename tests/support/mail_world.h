// A world for tests that commit their own rounds on events, waits and the journal.
#pragma once

#include <memory>
#include <string>

#include "support/world.h"

namespace holdfast::testing {

// Whether it asks the view for what was not read, or not far enough.
template <class Ask>
bool needs_more(Ask ask) {
    try {
        ask();
    } catch (const LoadMore&) {
        return true;
    }
    return false;
}

class MailWorld : public World {
public:
    explicit MailWorld(const std::string& kind, StoreOptions options = {})
        : World(kind, std::move(options)), writer(*store->open_writer()) {}

    // Commits one round directly on the writer.
    void round(const ReadSet& reads, const Decide& decide) {
        const auto done = writer->commit({ids.next<RoundId>(), reads}, decide);
        EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().message);
    }
    void round(const InstanceId& id, const Decide& decide) {
        ReadSet reads;
        reads.instance(id, Depth::whole, Past::looked_up);
        round(reads, decide);
    }

    Waiting waiting(Wait wait) {
        return {.token = ids.next<TokenId>(),
                .wait = std::move(wait),
                .began_at = clock.now(),
                .operation = ids.next<OperationId>()};
    }
    static void insert(View& view, const Instance& instance, const Cause& cause) {
        Instance& stored = view.insert(instance);
        view.accept(stored, {.type = HistoryType::started,
                             .payload = "{}",
                             .state_metadata = "{}",
                             .cause = cause});
    }
    // Stores a suspended instance.
    Instance suspended(Wait wait) {
        Instance instance = fresh_instance();
        instance.status = Status::suspended;
        instance.waits = {waiting(std::move(wait))};
        round(instance.id, [&](View& view) { insert(view, instance, cause()); });
        return instance;
    }
    // Stores a running instance.
    InstanceId running() {
        const Instance instance = fresh_instance();
        round(instance.id, [&](View& view) { insert(view, instance, cause()); });
        return instance.id;
    }
    Instance fresh_instance() {
        Instance instance{.id = ids.next<InstanceId>(), .definition = {"orders", 0}};
        instance.created_at = instance.last_modified_at = clock.now();
        return instance;
    }

    Event event(const std::string& name, std::optional<InstanceId> target = {}) {
        return {.id = ids.next<EventId>(),
                .name = name,
                .target = target,
                .value = document(R"({"n":1})"),
                .accepted_at = clock.now(),
                .operation = ids.next<OperationId>()};
    }
    // A round that has read these queued events.
    void round_with(const std::vector<Event>& events, const Decide& decide) {
        ReadSet reads;
        for (const Event& event : events) reads.event(event.id);
        round(reads, decide);
    }
    Event queued(Event event) {
        round(ReadSet{}, [&](View& view) { view.mail().queue(event); });
        return event;
    }
    Event queued(const std::string& name, std::optional<InstanceId> target = {}) {
        return queued(event(name, target));
    }

    std::unique_ptr<Writer> writer;
};

}  // namespace holdfast::testing
