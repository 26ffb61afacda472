#include "store/postgres/index_builder.h"

#include "base/ids/digest.h"
#include "base/json/contains.h"
#include "store/postgres/schema.h"
#include "store/sql.h"

namespace holdfast::postgres {
namespace {

// A text[] literal. The segments are [A-Za-z0-9_-]; quotes keep one that reads NULL from being one.
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

// The only SQL that is made from parts: an index cannot take its path as a parameter.
std::string fill(std::string_view statement, const json::Path& path) {
    std::string text(sql::text_of(sql::postgres_statements(), statement));
    replace_all(text, "%NAME%", index_name(json::to_string(path)));
    replace_all(text, "%PATH%", path_literal(path));
    return text;
}

Reply<void> run(Connection& connection) {
    auto answers = connection.exchange();
    if (!answers) return std::unexpected(answers.error());
    return {};
}

Reply<bool> is_invalid(Connection& connection, const std::string& name) {
    connection.queue("find_invalid_index", Parameters().add(name));
    auto answers = connection.exchange();
    if (!answers) return std::unexpected(answers.error());
    return answers->front().size() > 0;
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
    const auto turn = take_turn(connection, Chore::build_indexes, stop);
    if (!turn) return std::unexpected(turn.error());
    if (*turn == Turn::stopped) return {};
    connection.queue("unbuilt_index_paths");
    const auto answers = connection.exchange();
    if (!answers) return std::unexpected(answers.error());
    for (Row row : answers->front()) {
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
