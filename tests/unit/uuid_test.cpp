// Ids and what is written in them.
#include <gtest/gtest.h>

#include <set>

#include "base/ids/id_source.h"
#include "model/cell.h"
#include "support/manual_clock.h"

namespace holdfast {
namespace {

constexpr Moment some_day{std::chrono::seconds{1'790'000'000}};

TEST(Uuid, KnowsItsCellAndSoDoesWhatIsDerivedFromIt) {
    for (const std::uint16_t cell : {0, 1, 63, 64, 2'730, 4'095}) {
        const Uuid id = make_uuid_v7(some_day, 0xabc, ~std::uint64_t{0}, cell);
        EXPECT_EQ(cell_of(id), cell);
        EXPECT_EQ(to_string(id).at(14), '7');
        EXPECT_EQ(id.bytes[8] >> 6, 2) << "the variant";
        std::set<Uuid> derived{id};
        for (std::uint64_t n = 0; n < 1'000; ++n) {
            EXPECT_EQ(cell_of(derive(id, n)), cell);
            derived.insert(derive(id, n));
        }
        EXPECT_EQ(derived.size(), 1'001u);
    }
}

TEST(Uuid, OfAKeyIsInTheCellOfItsTenant) {
    EXPECT_EQ(cell_of_tenant("default"), 0);
    for (const std::uint16_t cell : {0, 1, 63, 64, 2'730, 4'095}) {
        Uuid id;
        id.bytes.fill(0xff);
        id = in_cell(id, cell);
        EXPECT_EQ(cell_of(id), cell);
        EXPECT_EQ(id.bytes[8] >> 6, 2) << "the variant";
        EXPECT_EQ(id.bytes[9] & 3, 3) << "only the cell's bits change";
        EXPECT_EQ(in_cell(id, cell), id);
    }
}

TEST(Uuid, IsMadeInCellZero) {
    testing::ManualClock clock;
    IdSource ids(clock, 7);
    Uuid last;
    for (int i = 0; i < 10'000; ++i) {
        const Uuid id = ids.next_uuid();
        EXPECT_EQ(cell_of(id), 0);
        EXPECT_LT(last, id);
        last = id;
    }
}

}  // namespace
}  // namespace holdfast
