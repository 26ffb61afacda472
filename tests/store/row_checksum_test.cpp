// The checksum of a row covers its id: a row that answers for another id is quarantined, never
// shown, executed or overwritten (002.15, I17).
#include "store/row_checksum.h"

#include <filesystem>
#include <fstream>

#include "store/memory/store.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class RowChecksum : public ::testing::TestWithParam<const char*> {
protected:
    RowChecksum() : world(GetParam()) {
        world.define("orders");
        world.start("orders", R"({"n":"first"})");
    }

    op::EditState::Outcome replace(const InstanceId& id, const std::string& state) {
        return world.run(op::EditState{
            .cause = world.cause(), .instance = id, .edit = op::Replace{.state = document(state)}});
    }
    std::string literal(const InstanceId& id) const {
        std::string text = to_string(id);
        if (world.place.kind() == "postgres") return "'" + text + "'";
        std::erase(text, '-');
        return "x'" + text + "'";
    }
    // Each id answers with the other's row.
    void swap_ids(const InstanceId& a, const InstanceId& b) {
        if (auto* memory = dynamic_cast<memory::MemoryStore*>(world.store.get()))
            return memory->swap_rows(a, b);
        const std::string free = literal(world.ids.next<InstanceId>());
        const auto move = [&](const std::string& from, const std::string& to) {
            return "update instances set id = " + to + " where id = " + from + ";";
        };
        world.tamper(move(literal(a), free) + move(literal(b), literal(a)) +
                     move(free, literal(b)));
    }
    void expect_quarantined(const InstanceId& id) {
        const auto found = *world.store->ask(FindInstance{id, Depth::document});
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(found->instance.id, id);
        EXPECT_TRUE(found->corrupt);
        EXPECT_TRUE(found->instance.quarantined);
        EXPECT_EQ(found->instance.state.text(), "{}") << "another's document is not shown";
        EXPECT_TRUE(std::holds_alternative<op::Quarantined>(replace(id, R"({"n":"mine"})")));
        EXPECT_TRUE(std::holds_alternative<op::Quarantined>(
            world.run(op::Cancel{.cause = world.cause(), .instance = id})));
        EXPECT_TRUE(std::holds_alternative<op::Quarantined>(
            world.run(op::Clear{.cause = world.cause(), .instance = id})));
        const auto release = world.run(op::Release{
            .cause = world.cause(), .instance = id, .state = document(R"({"n":"mine"})")});
        ASSERT_TRUE(std::holds_alternative<op::StillCorrupt>(release));
        EXPECT_TRUE(std::get<op::StillCorrupt>(release).row);
    }
    void expect_untouched(const Instance& instance) {
        const auto found = *world.store->ask(FindInstance{instance.id, Depth::document});
        ASSERT_TRUE(found.has_value());
        EXPECT_FALSE(found->corrupt);
        EXPECT_EQ(found->instance.state, instance.state);
        EXPECT_EQ(found->instance.version, instance.version);
        EXPECT_EQ(found->instance.rev, instance.rev);
    }

    World world;
};

TEST_P(RowChecksum, ARowThatAnswersForAnotherIdIsQuarantinedAndNeverOverwritten) {
    const Instance a = world.start("orders", R"({"n":"a"})");
    const Instance b = world.start("orders", R"({"n":"b"})");
    swap_ids(a.id, b.id);
    expect_quarantined(a.id);
    expect_quarantined(b.id);
    swap_ids(a.id, b.id);  // the repair
    expect_untouched(a);
    expect_untouched(b);
    EXPECT_TRUE(std::holds_alternative<op::Edited>(replace(a.id, R"({"n":"a2"})")));
}

TEST_P(RowChecksum, EveryWayToReadARowHidesAnothers) {
    const Instance a = world.start("orders", R"({"n":"a"})");
    const Instance b = world.start("orders", R"({"n":"b"})");
    swap_ids(a.id, b.id);
    const auto page = *world.store->ask(InstanceQuery{.limit = 10});
    EXPECT_EQ(page.items.size(), 3u);
    for (const FoundInstance& item : page.items)
        if (item.instance.id == a.id || item.instance.id == b.id) {
            EXPECT_TRUE(item.corrupt);
            EXPECT_EQ(item.instance.state.text(), "{}");
        }
    const std::vector ids{a.id, b.id};
    const auto rows = *world.store->ask(FindRows{ids});
    ASSERT_EQ(rows.size(), 2u);
    for (const Instance& row : rows) EXPECT_TRUE(row.quarantined);
}

TEST_P(RowChecksum, AVersionThatNobodyWroteIsQuarantined) {
    if (world.place.kind() == "memory") return;  // its rows cannot be changed from outside
    const Instance a = world.start("orders", R"({"n":"a"})");
    world.tamper("update instances set version = 7 where id = " + literal(a.id));
    expect_quarantined(a.id);
    world.tamper("update instances set version = 1 where id = " + literal(a.id));
    expect_untouched(a);
}

TEST_P(RowChecksum, ARowFromBeforeIsAcceptedUntilItsNextWrite) {
    if (world.place.kind() == "memory") return;  // it keeps nothing
    const Instance a = world.start("orders", R"({"n":"a"})");
    const Instance b = world.start("orders", R"({"n":"b"})", {}, R"({"m":1})");
    world.tamper("update instances set row_checksum = null");
    expect_untouched(a);
    EXPECT_TRUE(std::holds_alternative<op::Edited>(replace(a.id, R"({"n":"a2"})")));
    // Loads the row without its documents: the checksum covers them all the same.
    world.run(op::Pause{.cause = world.cause(), .instance = b.id});
    world.coordinator.reset();
    world.store.reset();
    EXPECT_EQ(world.place.query("select count(*) from instances where row_checksum is null"), "1");
    world.restart();
    EXPECT_FALSE((*world.store->ask(FindInstance{a.id, Depth::document}))->corrupt);
    EXPECT_FALSE((*world.store->ask(FindInstance{b.id, Depth::document}))->corrupt);
}

INSTANTIATE_TEST_SUITE_P(Stores, RowChecksum, all_stores(), store_name);

std::string contents_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The places of `key` in the bytes of a file.
std::vector<std::size_t> places_of(const std::string& bytes, const InstanceId& id) {
    const std::string key(reinterpret_cast<const char*>(id.value.bytes.data()), 16);
    std::vector<std::size_t> places;
    for (std::size_t at = bytes.find(key); at != std::string::npos; at = bytes.find(key, at + 1))
        places.push_back(at);
    return places;
}

class DamagedIndex : public RowChecksum {
protected:
    void close() {
        world.coordinator.reset();
        world.store.reset();
    }
    // In the file of the index, each id points at the other's row.
    void swap_pointers(const InstanceId& a, const InstanceId& b) {
        if (world.place.kind() == "sqlite") return swap_row_numbers(a, b);
        const std::string name =
            world.place.query("checkpoint; select pg_relation_filepath('instances_pkey')");
        close();
        shared_postgres().stop(StopMode::fast);
        const std::string path = shared_postgres().directory() + "/cluster/" + name;
        std::string bytes = contents_of(path.c_str());
        // The pointer at the row is in the eight bytes before the key.
        const auto pointers = std::pair(places_of(bytes, a), places_of(bytes, b));
        ASSERT_EQ(pointers.first.size(), 1u);
        ASSERT_EQ(pointers.second.size(), 1u);
        std::swap_ranges(bytes.begin() + static_cast<long>(pointers.first[0]) - 8,
                         bytes.begin() + static_cast<long>(pointers.first[0]) - 2,
                         bytes.begin() + static_cast<long>(pointers.second[0]) - 8);
        write_back(path, bytes);
        shared_postgres().start();
        world.restart();
    }
    void swap_row_numbers(const InstanceId& a, const InstanceId& b) {
        close();
        const std::string path = world.place.url().substr(7);
        std::string bytes = contents_of(path.c_str());
        // In the index the row number follows the key; in the table the text "default" does.
        std::vector<std::size_t> numbers;
        for (const InstanceId& id : {a, b})
            for (const std::size_t place : places_of(bytes, id))
                if (bytes[place - 1] == 1 && bytes[place - 2] == 44) numbers.push_back(place + 16);
        ASSERT_EQ(numbers.size(), 2u);
        std::swap(bytes[numbers[0]], bytes[numbers[1]]);
        write_back(path, bytes);
        world.restart();
    }
    static void write_back(const std::string& path, const std::string& bytes) {
        std::ofstream(path, std::ios::binary | std::ios::in) << bytes;
    }
};

TEST_P(DamagedIndex, AnswersForNoOtherId) {
    const Instance a = world.start("orders", R"({"n":"a"})");
    const Instance b = world.start("orders", R"({"n":"b"})");
    swap_pointers(a.id, b.id);
    expect_quarantined(a.id);
    expect_quarantined(b.id);
    swap_pointers(a.id, b.id);
    expect_untouched(a);
    expect_untouched(b);
}

INSTANTIATE_TEST_SUITE_P(Stores, DamagedIndex, ::testing::Values("sqlite", "postgres"), store_name);

}  // namespace
}  // namespace holdfast::testing
