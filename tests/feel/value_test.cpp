#include "feel/values/value.h"

#include "expect.h"

namespace holdfast::feel {
namespace {

TEST(Text, IsInsideOrShared) {
    const Text small("sixteen bytes ok");
    const Text large(std::string(1000, 'x'));
    Text copy = large;
    EXPECT_EQ(copy.view().data(), large.view().data());
    copy = small;
    EXPECT_EQ(copy, small);
    EXPECT_NE(copy.view().data(), small.view().data());
    copy = Text(copy);
    Text moved = std::move(copy);
    EXPECT_EQ(moved.view(), "sixteen bytes ok");
    EXPECT_LT(Text("a"), Text("b"));
    EXPECT_EQ(Text(), Text(""));
}

TEST(List, SharesItsItems) {
    const List list({Decimal(1), Text("a")});
    const List copy = list;
    EXPECT_TRUE(copy.is(list));
    EXPECT_EQ(list.size(), 2u);
    EXPECT_EQ(List().size(), 0u);
    EXPECT_EQ(Value(List({list, copy})).height(), 2u);
}

TEST(Context, FindsEntriesInSmallAndLargeOnes) {
    for (const int size : {0, 1, 12, 13, 500}) {
        std::vector<Entry> entries;
        for (int i = 0; i < size; ++i)
            entries.push_back({Text("name " + std::to_string(i)), Decimal(i)});
        const Context context(std::move(entries));
        for (int i = 0; i < size; ++i) {
            const Value* found = context.find("name " + std::to_string(i));
            ASSERT_TRUE(found);
            EXPECT_EQ(*found->get<Decimal>(), Decimal(i));
        }
        EXPECT_EQ(context.find("name"), nullptr);
    }
}

TEST(GrowingList, DoesNotChangeListsItReturned) {
    GrowingList growing;
    growing.add(Decimal(1));
    const List one = growing.list();
    growing.add(Decimal(2));
    EXPECT_EQ(one.size(), 1u);
    EXPECT_EQ(growing.list().size(), 2u);
    EXPECT_FALSE(growing.is_shared());
}

TEST(Show, WritesValuesTheWayFeelReadsThem) {
    for (const char* text : {"[1, \"a\\n\\\"\", null, true]", "{a: 1, \"b-c\": {}}", "[1..2)",
                             "(< 5)", "(!= 5)", "(>= 1.50)"}) {
        EXPECT_EQ(result_of(text), text);
        EXPECT_EQ(result_of(result_of(text)), text);
    }
    EXPECT_EQ(result_of("string([\"a\"])"), "\"[\\\"a\\\"]\"");
    EXPECT_EQ(result_of("string(\"a\")"), "\"a\"");
}

TEST(Show, StopsAtALimit) {
    const Value value = evaluated("for i in 1..1000 return i").value;
    EXPECT_FALSE(shown_within(value, 100));
    EXPECT_TRUE(shown_within(value, 10'000));
}

}  // namespace
}  // namespace holdfast::feel
