// What retention does to open instances: trims their histories, finds the stale ones.
#include <charconv>

#include "store/sqlite/prune.h"
#include "store/sqlite/rows/rows.h"

namespace holdfast::sqlite {
namespace {

// A place between two pages is the number of the last row.
std::int64_t row_number(const std::string& place) {
    std::int64_t seq = 0;
    std::from_chars(place.data(), place.data() + place.size(), seq);
    return seq;
}

struct OpenInstance {
    std::int64_t seq = 0;
    InstanceId id;
    Version version = 0;
};

Result<std::size_t> trim(Database& database, const OpenInstance& instance,
                         const TrimHistories& wanted, Moment now) {
    Version last = 0;
    std::size_t rows = 0;
    HF_CHECK(for_each_row(
        database["read_trimmable"].bind(instance.id, instance.version - least_history,
                                        now - wanted.keep_for, std::uint64_t{wanted.rows}),
        [&](Statement& row) {
            last = static_cast<Version>(row.integer());
            rows = static_cast<std::size_t>(row.integer());
        }));
    if (rows == 0) return rows;
    HF_CHECK(database["put_history_anchor"].bind(instance.id, last, now).run());
    HF_CHECK(database["delete_history_until"].bind(instance.id, last).run());
    return rows;
}

}  // namespace

Result<TrimmedHistories> trim_histories(Database& database, const TrimHistories& wanted,
                                        Moment now) {
    TrimmedHistories trimmed;
    HF_TRY(trimmed.lock_held, holds_lock(database, wanted.lock, now));
    if (!trimmed.lock_held && !wanted.dry_run) return trimmed;
    std::vector<OpenInstance> page;
    HF_CHECK(for_each_row(
        database["read_open_page"].bind(row_number(wanted.after), std::uint64_t{wanted.instances}),
        [&](Statement& row) {
            OpenInstance& instance = page.emplace_back();
            instance.seq = row.integer();
            instance.id = row.id<InstanceId>();
            instance.version = static_cast<Version>(row.integer());
        }));
    if (page.size() == wanted.instances) trimmed.next = std::to_string(page.back().seq);
    for (const OpenInstance& instance : page) {
        if (instance.version <= least_history) continue;
        HF_TRY(const std::size_t rows, trim(database, instance, wanted, now));
        trimmed.rows += rows;
        trimmed.more = trimmed.more || rows == wanted.rows;
    }
    return trimmed;
}

Result<StalePage> find_stale(Database& database, const FindStale& query) {
    StalePage page;
    std::size_t looked_at = 0;
    std::int64_t last = 0;
    HF_CHECK(for_each_row(
        database["read_stale_page"].bind(row_number(query.after), std::uint64_t{query.look_at},
                                         query.unchanged_since),
        [&](Statement& row) {
            last = row.integer();
            const auto id = row.id<InstanceId>();
            if (row.flag()) page.candidates.push_back(id);
            ++looked_at;
        }));
    if (looked_at == query.look_at) page.next = std::to_string(last);
    return page;
}

}  // namespace holdfast::sqlite
