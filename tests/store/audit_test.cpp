// The audit on every store: numbers, hashes, pages and what is forgotten.
#include "base/json/canonical.h"
#include "base/threads/threads.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class AuditRows : public ::testing::TestWithParam<const char*> {
protected:
    AuditRow row(const std::string& action, const std::string& user = "ann",
                 std::chrono::microseconds after = 0s) const {
        return {.at = begin + after,
                .action = action,
                .target = "/api/v1/keys",
                .status = 201,
                .user = user,
                .by = "root",
                .credential = "3f9c0a7be2d14c58",
                .address = "192.0.2.1",
                .node = "a",
                .detail = R"({"made":"/api/v1/keys/0"})"};
    }
    std::size_t append(const AuditAppend& rows) {
        const auto removed = world.store->append_audit(rows);
        EXPECT_TRUE(removed.has_value()) << (removed ? "" : removed.error().message);
        return removed.value_or(0);
    }
    AuditPage page(const AuditQuery& query = {}) { return *world.store->ask(query); }
    std::vector<std::uint64_t> numbers(const AuditQuery& query) {
        std::vector<std::uint64_t> numbers;
        for (const AuditRow& one : page(query).items) numbers.push_back(one.number);
        return numbers;
    }
    using Numbers = std::vector<std::uint64_t>;

    World world{GetParam()};
    const Moment begin{std::chrono::microseconds{1'769'594'400'000'001}};
};

TEST_P(AuditRows, ARowIsReadAsItWasWritten) {
    AuditRow written = row("createKey");
    append({.rows = {written}});
    written.number = 1;
    written.hash = audit_hash(Digest{}, audit_json(written));
    ASSERT_EQ(page().items.size(), 1u);
    EXPECT_EQ(page().items[0], written);
    EXPECT_EQ(page().head, (AuditHead{.newest = 1, .hash = written.hash}));
    AuditRow bare{.at = begin, .action = "start", .target = "", .node = "a"};
    append({.rows = {bare}});
    bare.number = 2;
    bare.hash = audit_hash(written.hash, audit_json(bare));
    EXPECT_EQ(page().items[1], bare);
}

TEST_P(AuditRows, EachHashCoversTheRowBefore) {
    append({.rows = {row("a"), row("b")}});
    append({.rows = {row("c")}});
    Digest before{};
    for (const AuditRow& one : page().items) {
        EXPECT_EQ(one.hash, audit_hash(before, audit_json(one)));
        before = one.hash;
    }
    EXPECT_EQ(page().head.hash, before);
    EXPECT_EQ(page().head.newest, 3u);
}

TEST_P(AuditRows, EveryTenantHasAChainOfItsOwn) {
    append({.rows = {row("a")}});
    append({.tenant = "acme", .rows = {row("b"), row("c")}});
    EXPECT_EQ(numbers({}), Numbers{1});
    EXPECT_EQ(numbers({.tenant = "acme"}), (Numbers{1, 2}));
    EXPECT_EQ(page({.tenant = "acme"}).items[0].tenant, "acme");
    EXPECT_EQ(page({.tenant = "nobody"}).head, AuditHead{});
}

TEST_P(AuditRows, PagesFollowEachOtherInBothOrders) {
    for (int i = 0; i < 5; ++i) append({.rows = {row("a")}});
    const AuditPage first = page({.limit = 2});
    EXPECT_EQ(first.next, 2u);
    EXPECT_EQ(numbers({.place = first.next, .limit = 2}), (Numbers{3, 4}));
    EXPECT_EQ(numbers({.place = 4, .limit = 2}), Numbers{5});
    EXPECT_FALSE(page({.place = 4, .limit = 2}).next);
    EXPECT_FALSE(page({.place = 3, .limit = 2}).next) << "a full page that is the last";
    const auto down = AuditOrder::newest_first;
    EXPECT_EQ(numbers({.order = down, .limit = 2}), (Numbers{5, 4}));
    EXPECT_EQ(page({.order = down, .limit = 2}).next, 4u);
    EXPECT_EQ(numbers({.order = down, .place = 4, .limit = 9}), (Numbers{3, 2, 1}));
    EXPECT_FALSE(page({.order = down, .place = 4, .limit = 3}).next);
    EXPECT_TRUE(numbers({.order = down, .place = 1}).empty());
    EXPECT_FALSE(page({.order = down, .place = 1}).next);
}

TEST_P(AuditRows, FiltersAreKeptTo) {
    AuditRow other = row("revokeKey", "bob", 1h);
    other.credential = "local";
    other.address = "192.0.2.2";
    append({.rows = {row("createKey"), other}});
    EXPECT_EQ(numbers({.action = "revokeKey"}), Numbers{2});
    EXPECT_EQ(numbers({.user = "ann"}), Numbers{1});
    EXPECT_EQ(numbers({.credential = "local"}), Numbers{2});
    EXPECT_EQ(numbers({.address = "192.0.2.1"}), Numbers{1});
    EXPECT_EQ(numbers({.from = begin + 1h}), Numbers{2});
    EXPECT_EQ(numbers({.before = begin + 1h}), Numbers{1});
    EXPECT_TRUE(numbers({.action = "revokeKey", .user = "ann"}).empty());
}

TEST_P(AuditRows, TheOldestAreForgottenAndTheChainHangsOnTheLastOfThem) {
    append({.rows = {row("a"), row("b", "ann", 1h), row("c", "ann", 2h), row("d", "ann", 1h)}});
    const Digest second = page().items[1].hash;
    EXPECT_EQ(append({.rows = {row("e", "ann", 3h)}, .forget_before = begin + 2h}), 2u);
    EXPECT_EQ(numbers({}), (Numbers{3, 4, 5})) << "d is older than c, and behind it";
    EXPECT_EQ(page().head.forgotten, 2u);
    EXPECT_EQ(page().head.anchor, second);
    EXPECT_EQ(page().items[0].hash, audit_hash(second, audit_json(page().items[0])));
    EXPECT_EQ(numbers({.order = AuditOrder::newest_first}), (Numbers{5, 4, 3}));
    EXPECT_EQ(append({.rows = {}, .forget_before = begin + 2h}), 0u);
}

TEST_P(AuditRows, TheNewestIsNeverForgotten) {
    append({.rows = {row("a"), row("b")}});
    EXPECT_EQ(append({.rows = {row("c")}, .forget_before = begin + 1h}), 2u);
    EXPECT_EQ(numbers({}), Numbers{3});
    EXPECT_EQ(append({.rows = {}, .forget_before = begin + 1h}), 0u);
    append({.rows = {row("d")}});
    EXPECT_EQ(numbers({}), (Numbers{3, 4}));
}

TEST_P(AuditRows, ABoundedNumberOfRowsIsForgottenAtOnce) {
    append({.rows = std::vector<AuditRow>(10'005, row("a"))});
    EXPECT_EQ(append({.rows = {row("b")}, .forget_before = begin + 1h}), 10'000u);
    EXPECT_EQ(page().head.forgotten, 10'000u);
    EXPECT_EQ(append({.rows = {row("c")}, .forget_before = begin + 1h}), 6u);
    EXPECT_EQ(numbers({}), Numbers{10'007});
}

TEST_P(AuditRows, APageLooksAtABoundedNumberOfRows) {
    std::vector<AuditRow> many(20'001, row("a"));
    many.back().action = "b";
    append({.rows = many});
    const AuditPage first = page({.action = "b"});
    EXPECT_TRUE(first.items.empty());
    ASSERT_EQ(first.next, 20'000u);
    EXPECT_EQ(numbers({.place = first.next, .action = "b"}), Numbers{20'001});
    const AuditPage last = page({.order = AuditOrder::newest_first, .action = "c"});
    ASSERT_EQ(last.next, 2u);
    EXPECT_FALSE(page({.order = AuditOrder::newest_first, .place = last.next, .action = "c"}).next);
}

INSTANTIATE_TEST_SUITE_P(Stores, AuditRows, all_stores(), store_name);

TEST(SharedAudit, ManyNodesWriteOneChain) {
    World world("postgres");
    SystemClock clock;
    std::vector<std::unique_ptr<Store>> nodes;
    for (int i = 0; i < 4; ++i) nodes.push_back(*open_store(world.place.url(), {.clock = &clock}));
    {
        std::vector<std::jthread> writers;
        for (std::size_t node = 0; node < nodes.size(); ++node)
            writers.push_back(named_thread("node", [&, node](std::stop_token) {
                for (int i = 0; i < 25; ++i)
                    EXPECT_TRUE(nodes[node]->append_audit(
                        {.rows = {{.action = "a", .target = "/", .node = std::to_string(node)},
                                  {.action = "b", .target = "/", .node = "x"}}}));
            }));
    }
    const AuditPage page = *world.store->ask(AuditQuery{.limit = 1'000});
    ASSERT_EQ(page.items.size(), 200u);
    Digest before{};
    for (std::size_t i = 0; i < page.items.size(); ++i) {
        EXPECT_EQ(page.items[i].number, i + 1);
        EXPECT_EQ(page.items[i].hash, audit_hash(before, audit_json(page.items[i])));
        before = page.items[i].hash;
    }
    EXPECT_EQ(page.head.hash, before);
}

}  // namespace
}  // namespace holdfast::testing
