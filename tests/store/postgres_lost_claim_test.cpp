// A claim whose COMMIT was cut, wherever the cut is: no signal is handed out twice under one epoch.
#include "support/eventually.h"
#include "support/postgres_nodes.h"
#include "support/tcp_proxy.h"

namespace holdfast::postgres {
namespace {

class LostClaim : public PostgresNodes {
protected:
    LostClaim()
        : proxy_(server_->directory()),
          cut_store_(*open_postgres(proxy_.url("nodes_" + std::to_string(databases_)), options_)) {}

    testing::TcpProxy proxy_;
    std::unique_ptr<Store> cut_store_;
};

TEST_F(LostClaim, HandsOutNothingUnderALeaseThatTheNextClaimRepeats) {
    for (const testing::Cut cut : testing::all_cuts) {
        SCOPED_TRACE(testing::name_of(cut));
        const NodeId life = joined(*cut_store_);
        const SignalRow row = enqueued(signal());
        ASSERT_TRUE(cut_store_->claim({life, {}, 0}).has_value()) << "opens the connection";
        proxy_.arm(cut, "commit_claim");
        const auto lost = cut_store_->claim({life, {}, 64});
        ASSERT_TRUE(proxy_.wait_for_cut(5s));
        ASSERT_FALSE(lost.has_value()) << "it may hold the lease, or the next claim may";
        EXPECT_EQ(lost.error().code, ErrorCode::outcome_unknown);

        // What the pump does: the life ends, and with it the leases that nobody knows of.
        ASSERT_TRUE(other_->leave(life).has_value());
        const NodeId next = joined(*other_);
        // The server may still be at the COMMIT whose answer was cut.
        std::vector<SignalRow> claimed;
        ASSERT_TRUE(testing::eventually([&] {
            claimed = claim(*other_, next);
            return !claimed.empty();
        }));
        ASSERT_EQ(claimed.size(), 1u);
        EXPECT_EQ(claimed[0].id, row.id);
        EXPECT_EQ(claimed[0].leased_by, next);
        script("delete from signal_queue");
    }
}

}  // namespace
}  // namespace holdfast::postgres
