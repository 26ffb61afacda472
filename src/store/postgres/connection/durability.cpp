#include "store/postgres/connection/durability.h"

namespace holdfast::postgres {
namespace {

Result<void> refuse(const std::string& setting, const std::string& value) {
    return fail(ErrorCode::refused, "PostgreSQL could lose acknowledged changes with " + setting +
                                        " = " + value +
                                        ": set it to on, or start with --allow-weak-durability");
}

}  // namespace

Result<void> check_durability(const Address& address) {
    auto connection = Connection::open(address, Role::writer);
    if (!connection) return std::unexpected(to_error(connection.error()));
    (*connection)->queue("read_durability");
    auto results = (*connection)->exchange();
    if (!results) return std::unexpected(to_error(results.error()));
    Row row = results->front()[0];
    for (const char* setting : {"fsync", "full_page_writes"})
        if (const std::string value = row.text(); value != "on") return refuse(setting, value);
    const std::string commit = row.text();
    if (commit != "on" && commit != "remote_apply") return refuse("synchronous_commit", commit);
    return {};
}

}  // namespace holdfast::postgres
