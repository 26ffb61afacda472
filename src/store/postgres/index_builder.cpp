#include "store/postgres/index_builder.h"

#include "base/ids/digest.h"
#include "base/json/contains.h"
#include "store/postgres/schema.h"
#include "store/sql.h"

namespace holdfast::postgres {
namespace {

// A text[] literal. The segments are [A-Za-z0-9_-]; without the quotes, NULL would be a null.
std::string path_literal(const json::Path& path) {
    std::string literal;
    for (const std::string& segment : path.segments)
        literal += (literal.empty() ? "\"" : ",\"") + segment + '"';
    return '{' + literal + '}';
}

void replace_all(std::string& text, std::string_view mark, const std::string& by) {
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
        text.replace(at, mark.size(), by);
}

// The only SQL built from strings: an index definition cannot have parameters.
std::string fill(std::string_view statement, const json::Path& path) {
    std::string text(sql::text_of(sql::postgres_statements(), statement));
    replace_all(text, "%NAME%", index_name(json::to_string(path)));
    replace_all(text, "%PATH%", path_literal(path));
    return text;
}

Reply<void> run(Connection& connection) {
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    return {};
}

Reply<bool> is_invalid(Connection& connection, const std::string& name) {
    connection.queue("find_invalid_index", Parameters().add(name));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    return results->front().size() > 0;
}

Reply<void> build(Connection& connection, const std::string& text) {
    const auto path = json::parse_path(text);
    if (!path) return std::unexpected(Failure{FailureKind::corrupt, "", path.error().message});
    const auto leftover = is_invalid(connection, index_name(text));
    if (!leftover) return std::unexpected(leftover.error());
    if (*leftover) {
        connection.queue_once(fill("drop_path_index", *path));
        if (auto done = run(connection); !done) return done;
    }
    connection.queue_once(fill("create_path_index", *path));
    if (auto done = run(connection); !done) return done;
    connection.queue("analyze_documents");
    connection.queue("mark_index_ready", Parameters().add(text));
    return run(connection);
}

Reply<void> build_all(Connection& connection, const std::stop_token& stop) {
    const auto lock = take_advisory_lock(connection, AdvisoryLock::build_indexes, stop);
    if (!lock) return std::unexpected(lock.error());
    if (*lock == LockOutcome::stopped) return {};
    connection.queue("unbuilt_index_paths");
    const auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    for (Row row : results->front()) {
        if (stop.stop_requested()) return {};
        if (auto done = build(connection, row.text()); !done) return done;
    }
    return {};
}

}  // namespace

std::string index_name(const std::string& path) {
    return "documents_path_" + to_hex(sha256(path)).substr(0, 16);
}

Result<void> build_declared_indexes(const Address& address, const std::stop_token& stop) {
    auto connection = Connection::open(address, Role::maintenance);
    if (!connection) return std::unexpected(to_error(connection.error()));
    if (auto done = build_all(**connection, stop); !done)
        return std::unexpected(to_error(done.error()));
    return {};
}

}  // namespace holdfast::postgres
