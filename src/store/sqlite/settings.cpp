#include "store/sqlite/settings.h"

namespace holdfast::sqlite {
namespace {

constexpr std::int64_t full_synchronous = 2;

}  // namespace

// A pragma that cannot be had is passed over in silence: what counts is what it says afterwards.
Result<void> check_durability(Database& database) {
    HF_TRY(const std::string mode, database.query_text("pragma journal_mode"));
    HF_TRY(const std::int64_t synchronous, database.query_integer("pragma synchronous"));
    HF_TRY(const std::int64_t keys, database.query_integer("pragma foreign_keys"));
    if (mode == "wal" && synchronous == full_synchronous && keys == 1) return {};
    return fail(ErrorCode::refused,
                "this SQLite file would lose acknowledged changes with the machine: journal_mode " +
                    mode + ", synchronous " + std::to_string(synchronous) + ", foreign_keys " +
                    std::to_string(keys) +
                    "; it takes wal, 2 and 1: put it on a local file system that supports them");
}

}  // namespace holdfast::sqlite
