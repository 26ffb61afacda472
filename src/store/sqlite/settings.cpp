#include "store/sqlite/settings.h"

namespace holdfast::sqlite {
namespace {

constexpr std::int64_t full_synchronous = 2;

}  // namespace

// SQLite silently ignores a pragma that it cannot apply, so the effective values are read back.
Result<void> check_durability(Database& database) {
    HF_TRY(const std::string mode, database.query_text("pragma journal_mode"));
    HF_TRY(const std::int64_t synchronous, database.query_integer("pragma synchronous"));
    HF_TRY(const std::int64_t keys, database.query_integer("pragma foreign_keys"));
    if (mode == "wal" && synchronous == full_synchronous && keys == 1) return {};
    return fail(ErrorCode::refused,
                "this SQLite file could lose acknowledged changes: journal_mode " + mode +
                    ", synchronous " + std::to_string(synchronous) + ", foreign_keys " +
                    std::to_string(keys) +
                    " instead of wal, 2 and 1; put it on a local file system that supports WAL");
}

}  // namespace holdfast::sqlite
