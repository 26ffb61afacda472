// Whatever was changed since a savepoint is taken back exactly.
#include "store/undo_log.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>

namespace holdfast {
namespace {

struct Containers {
    std::map<int, std::string> map;
    std::set<int> set;
    std::vector<int> list;

    bool operator==(const Containers&) const = default;
};

// One change, chosen by the number.
void change(UndoLog& undo, Containers& in, int number) {
    const int key = number / 8 % 5;
    switch (number % 8) {
        case 0: undo.emplace(in.map, key, std::to_string(number)); break;
        case 1: undo.assign(in.map, key, std::to_string(number)); break;
        case 2: undo.erase(in.map, key); break;
        case 3: undo.erase_if(in.map, [&](const auto& item) { return item.first < key; }); break;
        case 4: undo.emplace(in.set, key); break;
        case 5: undo.erase(in.set, key); break;
        case 6: undo.append(in.list, number); break;
        default: std::erase(undo.change(in.list), key * 8 + 6);
    }
}

RC_GTEST_PROP(Undo, TakesBackWhatWasChangedSinceTheSavepoint,
              (std::vector<std::uint8_t> kept, std::vector<std::uint8_t> undone)) {
    UndoLog undo;
    Containers in;
    for (const int number : kept) change(undo, in, number);
    const Containers saved = in;
    undo.save();
    for (const int number : undone) change(undo, in, number);
    undo.roll_back();
    RC_ASSERT(in == saved);
    undo.roll_back();
    RC_ASSERT(in == saved);
}

TEST(Undo, ADifferentNumberForEverySavepoint) {
    UndoLog undo;
    const std::size_t first = undo.savepoint();
    undo.save();
    const std::size_t second = undo.savepoint();
    undo.roll_back();
    EXPECT_NE(first, second);
    EXPECT_NE(second, undo.savepoint());
}

}  // namespace
}  // namespace holdfast
