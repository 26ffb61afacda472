// What a round is told about the size of a long queue, which a store may remember instead of
// counting it again, is what is queued (001.8).
#include "support/mail_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t many = 100;  // long enough to be remembered

class LongQueue : public ::testing::TestWithParam<const char*> {
protected:
    LongQueue()
        : world(GetParam(), {.fault = [this](std::size_t) { return fails; },
                             .lose_commit = [this] { return std::exchange(loses, false); }}) {
        fill(target);
        fill(std::nullopt);
        expect_sizes(many, many);
    }

    void fill(const std::optional<InstanceId>& to) {
        world.round(ReadSet{}, [&](View& view) {
            for (std::size_t n = 0; n < many; ++n)
                (to ? inbox : broadcasts).push_back(world.event("go", to));
            for (const Event& event : to ? inbox : broadcasts) view.mail().queue(event);
        });
    }
    void expect_sizes(std::size_t targeted, std::size_t broadcast) {
        ReadSet reads;
        reads.inbox_size(target);
        reads.channel_size(channel("go"));
        world.round(reads, [&](View& view) {
            EXPECT_EQ(view.mail().inbox_size(target), (QueueSize{targeted, 7 * targeted}));
            EXPECT_EQ(view.mail().channel_size(channel("go")),
                      (QueueSize{broadcast, 7 * broadcast}));
        });
    }
    void take(const std::vector<Event>& events) {
        world.round_with(events, [&](View& view) {
            for (const Event& event : events) view.mail().take(event);
        });
    }
    // A round that is not committed, or not known to be.
    void try_to_queue(const Event& event) {
        (void)world.writer->commit({world.ids.next<RoundId>(), ReadSet{}},
                                   [&](View& view) { view.mail().queue(event); });
    }

    bool fails = false;
    bool loses = false;
    MailWorld world;
    const InstanceId target = world.running();
    std::vector<Event> inbox;
    std::vector<Event> broadcasts;
};

TEST_P(LongQueue, CountsWhatRoundsQueueAndTake) {
    world.queued("go", target);
    world.queued("other");  // another channel
    expect_sizes(many + 1, many);
    take({inbox[0], inbox[1], broadcasts[0]});
    expect_sizes(many - 1, many - 1);
    world.round_with({inbox[2]}, [&](View& view) {
        view.mail().take(inbox[2]);
        view.mail().queue(world.event("go", target));
        view.mail().queue(world.event("go"));
    });
    expect_sizes(many - 1, many);
}

TEST_P(LongQueue, LeavesOutWhatHasExpired) {
    Event expired = world.event("go", target);
    expired.expires_at = expired.accepted_at - 1s;
    world.queued(expired);
    expect_sizes(many, many);
    Event brief = world.event("go", target);
    brief.expires_at = brief.accepted_at + 1h;
    world.queued(brief);
    expect_sizes(many + 1, many);
    take({expired});
    expect_sizes(many + 1, many);
    take({brief});
    expect_sizes(many, many);
}

TEST_P(LongQueue, IsAsItWasAfterARoundThatFailed) {
    fails = true;
    try_to_queue(world.event("go", target));
    fails = false;
    expect_sizes(many, many);
}

TEST_P(LongQueue, IsCountedAgainAfterACommitWhoseOutcomeIsUnknown) {
    loses = true;
    try_to_queue(world.event("go", target));
    expect_sizes(many + 1, many);
}

TEST_P(LongQueue, IsEmptyOnceItsTargetWasCleared) {
    world.round(target, [&](View& view) { view.clear(target, world.cause()); });
    expect_sizes(0, many);
}

INSTANTIATE_TEST_SUITE_P(Stores, LongQueue, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
