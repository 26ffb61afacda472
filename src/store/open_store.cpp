#include "store/memory/store.h"
#include "store/options.h"
#include "store/postgres/store.h"
#include "store/sqlite/store.h"
#include "store/store_url.h"

namespace holdfast {
namespace {

enum class StoreKind { memory, sqlite, postgres };

Result<StoreKind> kind_of(const std::string& url) {
    if (url == "memory:") return StoreKind::memory;
    if (url.starts_with("sqlite:") && url.size() > 7) return StoreKind::sqlite;
    if (url.starts_with("postgres://") || url.starts_with("postgresql://"))
        return StoreKind::postgres;
    return fail(
        ErrorCode::invalid_argument,
        "'" + url + "' is not a store URL: use sqlite:PATH or postgres://user@host/database");
}

}  // namespace

Result<void> check_store_url(const std::string& url) {
    HF_CHECK(kind_of(url));
    return {};
}

Result<std::unique_ptr<Store>> open_store(const std::string& url, const StoreOptions& options) {
    HF_TRY(const StoreKind kind, kind_of(url));
    switch (kind) {
        case StoreKind::memory: return memory::MemoryStore::open(options);
        case StoreKind::sqlite: return sqlite::SqliteStore::open(url.substr(7), options);
        case StoreKind::postgres: return postgres::open_postgres(url, options);
    }
    return fail(ErrorCode::internal, "there is no other kind of store");
}

}  // namespace holdfast
