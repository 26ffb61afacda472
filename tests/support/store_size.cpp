#include "support/store_size.h"

#include <filesystem>

namespace holdfast::testing {

double mebibytes_of(const StorePlace& place) {
    constexpr double mebi = 1048576.0;
    if (place.kind() == "postgres")
        return std::stod(place.query("select pg_database_size(current_database())")) / mebi;
    double bytes = 0;
    for (const char* suffix : {"", "-wal"}) {
        const std::string path = place.url().substr(7) + suffix;
        if (std::filesystem::exists(path))
            bytes += static_cast<double>(std::filesystem::file_size(path));
    }
    return bytes / mebi;
}

void vacuum_often(const StorePlace& place) {
    if (place.kind() != "postgres") return;
    place.execute("alter system set autovacuum_naptime = '1s'");
    place.execute("alter system set autovacuum_vacuum_cost_delay = 0");
    place.execute("select pg_reload_conf()");
}

void add_sleepers(const StorePlace& place, std::size_t count) {
    const std::string rows = std::to_string(count);
    const std::string columns =
        "insert into instances (id, definition_key, definition_version, status, version, rev, "
        "history_hash, created_at, updated_at, last_modified_at) ";
    if (place.kind() == "sqlite")
        place.execute("with recursive r (n) as (select 1 union all select n + 1 from r where n < " +
                      rows + ") " + columns +
                      "select randomblob(16), 'orders', 1, 'suspended', 1, 1, zeroblob(32), "
                      "4000000000000000, 4000000000000000, 4000000000000000 from r");
    else
        place.execute(columns +
                      "select gen_random_uuid(), 'orders', 1, 'suspended', 1, 1, "
                      "decode(repeat('00', 32), 'hex'), now(), now() + interval '1 day', now() "
                      "from generate_series(1, " +
                      rows + ")");
}

}  // namespace holdfast::testing
