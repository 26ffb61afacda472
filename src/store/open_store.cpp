#include "store/memory/store.h"
#include "store/options.h"
#include "store/postgres/store.h"
#include "store/sqlite/store.h"

namespace holdfast {

Result<std::unique_ptr<Store>> open_store(const std::string& url, const StoreOptions& options) {
    if (url == "memory:") return memory::MemoryStore::open(options);
    if (url.starts_with("sqlite:") && url.size() > 7)
        return sqlite::SqliteStore::open(url.substr(7), options);
    if (url.starts_with("postgres://") || url.starts_with("postgresql://"))
        return postgres::open_postgres(url, options);
    return fail(
        ErrorCode::invalid_argument,
        "'" + url + "' is not a store URL: use sqlite:PATH or postgres://user@host/database");
}

}  // namespace holdfast
