// A search has the same result on every store (002.7).
#include <algorithm>

#include "support/api_server.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class Search : public ::testing::TestWithParam<const char*> {
protected:
    Search() : world(GetParam()) {
        world.define("orders", "", {"currentStep", "agentContext.currentAgent", "list.0"});
        world.define("other");
    }

    // The business keys of the instances that a query finds, sorted.
    std::vector<std::string> found(InstanceQuery query) {
        std::vector<std::string> keys;
        query.limit = 100;
        const auto page = world.store->ask(query);
        EXPECT_TRUE(page.has_value()) << (page ? "" : page.error().message);
        if (page)
            for (const auto& item : page->items) keys.push_back(item.instance.business.key);
        std::ranges::sort(keys);
        return keys;
    }
    std::vector<std::string> by_path(const std::string& path, const std::string& text) {
        return found({.paths = {{*json::parse_path(path), text}}});
    }
    std::vector<std::string> containing(const std::string& part) {
        return found({.contains = json_of(part)});
    }

    void start(const std::string& key, const std::string& state, const std::string& metadata = "{}",
               const std::string& definition = "orders") {
        ids[key] = world
                       .start(definition, state, {.key = key, .parts = {{"region", "eu-" + key}}},
                              metadata)
                       .id;
    }

    using Keys = std::vector<std::string>;
    World world;
    std::map<std::string, InstanceId> ids;
};

// All pages of a query that may spend `effort` each.
struct Pages {
    std::size_t count = 0;
    std::size_t partial = 0;
    std::size_t found = 0;
    std::uint64_t most_effort = 0;
};

TEST_P(Search, APageEndsWhenItsWorkIsSpentAndTheNextOneGoesOn) {
    const std::string large = "[" + repeated("{\"a\": 1}, ", 1'000) + "{}]";
    for (int i = 0; i < 12; ++i)
        start("k" + std::to_string(i), R"({"n": 7, "list": )" + large + "}");
    InstanceQuery query{.contains = json_of(R"({"n": 7, "list": [{"b": 1}]})"),
                        .budget = {.effort = 8'000}};
    Pages pages;
    do {
        const auto page = world.store->ask(query);
        ASSERT_TRUE(page) << page.error().message;
        ++pages.count;
        pages.found += page->items.size();
        pages.partial += page->partial;
        pages.most_effort = std::max(pages.most_effort, page->effort);
        EXPECT_EQ(page->partial, page->next.has_value());
        query.cursor = page->next;
    } while (query.cursor && pages.count < 100);
    EXPECT_EQ(pages.found, 0U);
    if (std::string_view(GetParam()) == "postgres") return;  // it may be quick enough for one page
    EXPECT_GE(pages.count, 3U);
    EXPECT_EQ(pages.partial, pages.count - 1);
    EXPECT_LT(pages.most_effort, 12'000U);
}

TEST_P(Search, AnInstanceThatNeedsMoreThanTheBudgetIsAnError) {
    start("large", R"({"list": [)" + repeated("0, ", 5'000) + "0]}");
    const auto page = world.store->ask(
        InstanceQuery{.contains = json_of(R"({"list": [1, 2]})"), .budget = {.effort = 1'000}});
    if (page) {
        EXPECT_EQ(std::string_view(GetParam()), "postgres") << "it may be quick enough";
        return;
    }
    EXPECT_EQ(page.error().code, ErrorCode::invalid_argument);
}

TEST_P(Search, ComparesHereWhatTheDatabaseCannotCompareInTime) {
    // Each of the 2,000 wanted values is compared with each of 30,000 in PostgreSQL.
    std::string large = "[";
    for (int i = 0; i < 30'000; ++i) large += std::to_string(i) + ", ";
    for (int i = 0; i < 3; ++i)
        start("k" + std::to_string(i), R"({"list": )" + large + std::to_string(-i) + "]}");
    std::string wanted = R"({"list": [)";
    for (int i = 0; i < 2'000; ++i) wanted += std::to_string(29'999 - i) + ", ";
    InstanceQuery query{.contains = json_of(wanted + "-2]}"), .budget = {.effort = 4'000'000}};
    Keys keys;
    for (int pages = 0; pages < 10; ++pages) {
        const auto page = world.store->ask(query);
        ASSERT_TRUE(page) << page.error().message;
        for (const auto& item : page->items) keys.push_back(item.instance.business.key);
        query.cursor = page->next;
        if (!page->next) break;
    }
    EXPECT_EQ(keys, Keys{"k2"});
}

TEST_P(Search, EndsSoonAfterNobodyWaitsForIt) {
    for (int i = 0; i < 300; ++i) start("k" + std::to_string(i), R"({"n": 1})");
    std::stop_source left;
    left.request_stop();
    const auto page = world.store->ask(
        InstanceQuery{.contains = json_of(R"({"n": {}})"), .budget = {.stop = left.get_token()}});
    // The others have answered before they look whether to stop.
    EXPECT_EQ(page.has_value(), std::string_view(GetParam()) != "sqlite");
    if (page) return;
    EXPECT_EQ(page.error().code, ErrorCode::unavailable);
}

TEST_P(Search, PathEqualityComparesTheTextOfScalars) {
    start("text", R"({"currentStep":"100"})");
    start("number", R"({"currentStep":1e2})");
    start("double", R"({"currentStep":0.5})");
    start("huge", R"({"currentStep":1e21})");
    start("true", R"({"currentStep":true})");
    start("null", R"({"currentStep":null})");
    start("object", R"({"currentStep":{"a":1}})");
    start("array", R"({"currentStep":["100"]})");
    (void)world.store->build_indexes({});
    EXPECT_EQ(by_path("currentStep", "100"), (Keys{"number", "text"}));
    EXPECT_EQ(by_path("currentStep", "0.5"), Keys{"double"});
    EXPECT_EQ(by_path("currentStep", "1000000000000000000000"), Keys{"huge"});
    EXPECT_EQ(by_path("currentStep", "true"), Keys{"true"});
    EXPECT_EQ(by_path("currentStep", "null"), Keys{});
    EXPECT_EQ(by_path("currentStep", R"({"a": 1})"), Keys{});
    EXPECT_EQ(by_path("currentStep", "' or 1=1 --"), Keys{});
}

TEST_P(Search, PathsReachIntoArrays) {
    start("first", R"({"list":["a","b"]})");
    start("second", R"({"list":["b"]})");
    start("object", R"({"list":{"0":"a"}})");
    (void)world.store->build_indexes({});
    EXPECT_EQ(by_path("list.0", "a"), (Keys{"first", "object"}));
    EXPECT_EQ(by_path("list.-1", "b"), (Keys{"first", "second"}));
}

TEST_P(Search, LongValuesAreComparedInFull) {
    const std::string prefix(300, 'x');
    start("a", R"({"currentStep":")" + prefix + R"(a"})");
    start("b", R"({"currentStep":")" + prefix + R"(b"})");
    (void)world.store->build_indexes({});
    EXPECT_EQ(by_path("currentStep", prefix + "a"), Keys{"a"});
    EXPECT_EQ(by_path("currentStep", prefix), Keys{});
}

TEST_P(Search, ContainmentFollowsJsonbRules) {
    start("a", R"({"agentContext":{"currentAgent":"pm","n":1},"tags":["x","y",{"z":1}]})");
    start("b", R"({"agentContext":{"currentAgent":"dev"},"tags":["y"]})");
    (void)world.store->build_indexes({});
    EXPECT_EQ(containing(R"({"agentContext":{"currentAgent":"pm"}})"), Keys{"a"});
    EXPECT_EQ(containing(R"({"tags":["y"]})"), (Keys{"a", "b"}));
    EXPECT_EQ(containing(R"({"tags":["y","x","x"]})"), Keys{"a"});
    EXPECT_EQ(containing(R"({"tags":[{}]})"), Keys{"a"});
    EXPECT_EQ(containing(R"({"agentContext":{"n":1.0}})"), Keys{"a"});
    EXPECT_EQ(containing(R"({"agentContext":{"n":"1"}})"), Keys{});
    EXPECT_EQ(containing("{}"), (Keys{"a", "b"}));
    EXPECT_EQ(containing(R"({"agentContext":{"currentAgent":"pm"},"tags":["q"]})"), Keys{});
}

TEST_P(Search, FiltersCombine) {
    start("a", R"({"currentStep":"review"})", R"({"source":"web"})");
    start("b", R"({"currentStep":"review"})", R"({"source":"mail"})");
    start("c", R"({"currentStep":"review"})", R"({"source":"web"})", "other");
    (void)world.store->build_indexes({});
    world.run(op::Cancel{.cause = world.cause(), .instance = ids["b"]});
    const std::vector<Status> open{Status::running, Status::suspended};
    const std::pair step{*json::parse_path("currentStep"), std::string("review")};
    EXPECT_EQ(found({.statuses = open, .paths = {step}}), (Keys{"a", "c"}));
    EXPECT_EQ(found({.statuses = {Status::cancelled}}), Keys{"b"});
    EXPECT_EQ(found({.definition = "orders", .meta_contains = json_of(R"({"source":"web"})")}),
              Keys{"a"});
    EXPECT_EQ(found({.business_key = "c"}), Keys{"c"});
    EXPECT_EQ(found({.business_parts = {{"region", "eu-b"}}}), Keys{"b"});
    EXPECT_EQ(found({.business_parts = {{"region", "eu-b"}}, .paths = {step}}), Keys{"b"});
    EXPECT_EQ(found({.business_key = "a", .business_parts = {{"region", "eu-b"}}}), Keys{});
    EXPECT_EQ(found({.meta_contains = json_of(R"({"source":"web"})"), .paths = {step}}),
              (Keys{"a", "c"}));
}

TEST_P(Search, TimeIsAFilter) {
    start("a", "{}");
    const Moment created = world.read(ids["a"]).created_at;
    EXPECT_EQ(found({.created_from = created}), Keys{"a"});
    EXPECT_EQ(found({.created_from = created + std::chrono::microseconds{1}}), Keys{});
    EXPECT_EQ(found({.created_before = created}), Keys{});
    EXPECT_EQ(found({.created_before = created + std::chrono::microseconds{1}}), Keys{"a"});
}

TEST_P(Search, AnEditMovesAnInstanceFromOneValueToAnother) {
    start("a", R"({"currentStep":"one"})");
    (void)world.store->build_indexes({});
    world.run(op::EditState{.cause = world.cause(),
                            .instance = ids["a"],
                            .edit = op::MergePatch{document(R"({"currentStep":"two"})")}});
    EXPECT_EQ(by_path("currentStep", "one"), Keys{});
    EXPECT_EQ(by_path("currentStep", "two"), Keys{"a"});
    world.run(op::Clear{.cause = world.cause(), .instance = ids["a"]});
    EXPECT_EQ(by_path("currentStep", "two"), Keys{});
}

TEST_P(Search, AnIndexThatIsDeclaredLateFindsWhatWasThereBefore) {
    for (int i = 0; i < 450; ++i)
        start(std::to_string(i), R"({"late":")" + std::to_string(i % 9) + "\"}");
    world.define("orders", "", {"late"});
    EXPECT_EQ(by_path("late", "4").size(), 50u);
    ASSERT_TRUE(world.store->build_indexes({}).has_value());
    const auto indexes = *world.store->ask(ListIndexes{});
    EXPECT_TRUE(std::ranges::all_of(indexes, &IndexState::ready));
    EXPECT_EQ(by_path("late", "4").size(), 50u);
    world.run(op::EditState{.cause = world.cause(),
                            .instance = ids["4"],
                            .edit = op::MergePatch{document(R"({"late":"5"})")}});
    EXPECT_EQ(by_path("late", "4").size(), 49u);
}

// The writer is held for a mebibyte of them at a time.
TEST_P(Search, AnIndexThatIsDeclaredLateOverLargeStatesFindsThemAll) {
    for (int i = 0; i < 12; ++i)
        start(std::to_string(i), R"({"late":"x","text":")" + std::string(250'000, 'a') + "\"}");
    world.define("orders", "", {"late"});
    ASSERT_TRUE(world.store->build_indexes({}).has_value());
    const auto indexes = *world.store->ask(ListIndexes{});
    EXPECT_TRUE(std::ranges::all_of(indexes, &IndexState::ready));
    EXPECT_EQ(by_path("late", "x").size(), 12u);
}

TEST_P(Search, PagesNeitherRepeatNorMissAnything) {
    for (int i = 0; i < 57; ++i) start(std::to_string(i), R"({"currentStep":"s"})");
    (void)world.store->build_indexes({});
    for (InstanceQuery query :
         {InstanceQuery{}, InstanceQuery{.definition = "orders"},
          InstanceQuery{.paths = {{*json::parse_path("currentStep"), "s"}}}}) {
        std::vector<std::string> keys;
        query.limit = 10;
        for (int page_number = 0; page_number < 10; ++page_number) {
            const auto page = world.store->ask(query);
            ASSERT_TRUE(page.has_value());
            for (const auto& item : page->items) keys.push_back(item.instance.business.key);
            if (!page->next) break;
            query.cursor = page->next;
            start("late-" + std::to_string(page_number), R"({"currentStep":"s"})");
        }
        std::erase_if(keys, [](const std::string& key) { return key.starts_with("late-"); });
        EXPECT_EQ(keys.size(), 57u);
        std::ranges::sort(keys);
        EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
        for (int i = 0; i < 10; ++i)
            if (const auto late = ids.find("late-" + std::to_string(i)); late != ids.end())
                world.run(op::Clear{.cause = world.cause(), .instance = late->second});
    }
}

INSTANTIATE_TEST_SUITE_P(Stores, Search, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
