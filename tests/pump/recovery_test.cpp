// Recovery while the store fails.
#include "base/threads/pause.h"
#include "pump/recovery/recovery_thread.h"
#include "support/forwarding_store.h"
#include "support/mail_world.h"

namespace holdfast::testing {
namespace {

// Its first searches fail, as when the database restarts.
class FailingSearches final : public ForwardingStore {
public:
    FailingSearches(Store& inner, int failures) : ForwardingStore(inner), failures_(failures) {}

    void read(const AnyQuestion& question) override {
        const auto* search = std::get_if<Question<InstanceQuery>>(&question);
        if (search && failures_-- > 0)
            search->answer = fail(ErrorCode::unavailable, "the database restarts");
        else
            ForwardingStore::read(question);
    }

private:
    std::atomic<int> failures_;
};

class RecoveryOn : public ::testing::TestWithParam<const char*> {
protected:
    RecoveryOn() : world(GetParam()) { world.define("orders"); }

    // Suspended although its event is queued: what recovery puts right.
    InstanceId stuck() {
        const InstanceId id = world.suspended({.names = {"go"}}).id;
        world.queued("go", id);
        return id;
    }
    bool is_running(const InstanceId& id) { return world.read(id).status == Status::running; }

    MailWorld world;
};

TEST_P(RecoveryOn, IsRetriedUntilTheStoreWorks) {
    std::vector<InstanceId> all;
    for (int i = 0; i < 3; ++i) all.push_back(stuck());
    FailingSearches store(*world.store, 3);
    RecoveryThread recovery(store, *world.coordinator, world.ids);
    for (int i = 0; i < 100 && !std::ranges::all_of(
                                   all, [&](const InstanceId& id) { return is_running(id); });
         ++i)
        pause_for(std::chrono::milliseconds(50));
    for (const InstanceId& id : all) EXPECT_TRUE(is_running(id));
    recovery.stop();
}

// Its operations fail once, after the page was read: the page is recovered again.
TEST_P(RecoveryOn, ContinuesWithThePageThatFailed) {
    const InstanceId id = stuck();
    int runs = 0;
    Recovery recovery(*world.store, world.ids, [&](std::vector<op::Recover> operations) {
        if (++runs > 1) return world.coordinator->run_all(std::move(operations));
        return Recovery::Outcomes(operations.size(), fail(ErrorCode::unavailable, "restarts"));
    });
    const auto never = [] { return false; };
    EXPECT_FALSE(recovery.recover(never).has_value());
    const auto report = recovery.recover(never);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->looked_at, 1u);
    EXPECT_EQ(report->woken, 1u);
    EXPECT_TRUE(is_running(id));
}

// One that cannot be read does not stop the others.
TEST_P(RecoveryOn, PassesOverAnInstanceThatIsRefused) {
    const InstanceId first = stuck();
    const InstanceId second = stuck();
    Recovery recovery(*world.store, world.ids, [&](std::vector<op::Recover> operations) {
        auto outcomes = world.coordinator->run_all(operations);
        for (std::size_t i = 0; i < operations.size(); ++i)
            if (operations[i].instance == first)
                outcomes[i] = fail(ErrorCode::refused, "written by a newer holdfast");
        return outcomes;
    });
    const auto report = recovery.recover([] { return false; });
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->looked_at, 2u);
    EXPECT_EQ(report->woken, 1u);
    EXPECT_TRUE(is_running(second));
}

INSTANTIATE_TEST_SUITE_P(Stores, RecoveryOn, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
