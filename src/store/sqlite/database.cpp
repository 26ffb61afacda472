#include "store/sqlite/database.h"

#include <cstring>

#include "base/assert.h"
#include "store/query.h"
#include "store/sql.h"

namespace holdfast::sqlite {

Error error_of(sqlite3* connection, int code) {
    std::string message = std::string("SQLite: ") + sqlite3_errmsg(connection);
    boost::json::object context{{"sqliteCode", code}};
    switch (code & 0xff) {
        case SQLITE_CONSTRAINT:
        case SQLITE_TOOBIG:
        case SQLITE_MISMATCH: return {ErrorCode::refused, std::move(message), std::move(context)};
        case SQLITE_INTERRUPT: return stopped_read();
        case SQLITE_FULL:
            return {ErrorCode::unavailable, "the disk is full: " + message, std::move(context)};
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB: return {ErrorCode::corrupt, std::move(message), std::move(context)};
        default: return {ErrorCode::unavailable, std::move(message), std::move(context)};
    }
}

Statement::Statement(sqlite3* connection, std::string_view text) {
    const int code = sqlite3_prepare_v3(connection, text.data(), static_cast<int>(text.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
    if (code != SQLITE_OK) std::fprintf(stderr, "%s\n", sqlite3_errmsg(connection));
    HF_ASSERT(code == SQLITE_OK, "embedded statements match the schema");
}

void Statement::mark_corrupt(std::string_view table, std::string_view column) {
    corrupt_ = std::string(table) + " has a row with an unknown " + std::string(column);
}

Result<void> Statement::check() const {
    if (corrupt_.empty()) return {};
    return fail(ErrorCode::corrupt, corrupt_);
}

Result<Stepped> Statement::step() {
    column_ = 0;
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return Stepped::row;
    if (code == SQLITE_DONE) return Stepped::done;
    const Error error = error_of(sqlite3_db_handle(statement_), code);
    sqlite3_reset(statement_);
    return std::unexpected(error);
}

Result<void> Statement::run() {
    const auto stepped = step();
    if (!stepped) return std::unexpected(stepped.error());
    sqlite3_reset(statement_);
    return {};
}

std::string_view Statement::view() {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column_));
    const int size = sqlite3_column_bytes(statement_, column_++);
    return {text ? text : "", static_cast<std::size_t>(size)};
}

std::size_t Statement::row_bytes() const {
    std::size_t bytes = 0;
    for (int column = 0; column < sqlite3_data_count(statement_); ++column) {
        const int type = sqlite3_column_type(statement_, column);
        if (type == SQLITE_TEXT || type == SQLITE_BLOB)
            bytes += static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    }
    return bytes;
}

std::string Statement::bytes() {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column_));
    const int size = sqlite3_column_bytes(statement_, column_++);
    return bytes ? std::string(bytes, static_cast<std::size_t>(size)) : std::string();
}

Digest Statement::digest() {
    Digest digest;
    const int size = sqlite3_column_bytes(statement_, column_);
    if (const void* bytes = sqlite3_column_blob(statement_, column_++); bytes && size == 32)
        std::memcpy(digest.bytes.data(), bytes, 32);
    return digest;
}

Uuid Statement::uuid() {
    Uuid id;
    const int size = sqlite3_column_bytes(statement_, column_);
    if (const void* bytes = sqlite3_column_blob(statement_, column_++); bytes && size == 16)
        std::memcpy(id.bytes.data(), bytes, 16);
    return id;
}

void configure_process() {
    // Nobody reads SQLite's statistics of its memory, and each allocation would lock a mutex of the
    // whole process for them.
    [[maybe_unused]] static const int without_statistics =
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Mode mode) {
    configure_process();
    sqlite3* connection = nullptr;
    const int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                      (mode == Mode::read_write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                                : SQLITE_OPEN_READONLY);
    const int code = sqlite3_open_v2(path.c_str(), &connection, flags, nullptr);
    std::unique_ptr<Database> database(new Database(connection));
    if (code != SQLITE_OK)
        return fail(ErrorCode::unavailable,
                    "cannot open " + path + ": " + sqlite3_errmsg(connection));
    sqlite3_busy_timeout(connection, 5'000);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    return database;
}

void Database::stop_with(std::stop_token stop) {
    constexpr int steps_between_looks = 100'000;
    stop_ = std::move(stop);
    if (!stop_.stop_possible()) return sqlite3_progress_handler(connection_, 0, nullptr, nullptr);
    sqlite3_progress_handler(
        connection_, steps_between_looks,
        [](void* self) { return static_cast<Database*>(self)->stop_.stop_requested() ? 1 : 0; },
        this);
}

Database::~Database() {
    statements_.clear();
    sqlite3_close(connection_);
}

Statement& Database::operator[](std::string_view name) {
    if (const auto known = by_literal_.find(name.data()); known != by_literal_.end())
        return *known->second;
    auto& statement = statements_[std::string(name)];
    if (!statement)
        statement =
            std::make_unique<Statement>(connection_, sql::text_of(sql::sqlite_statements(), name));
    by_literal_.emplace(name.data(), statement.get());
    return *statement;
}

Result<void> Database::execute(const std::string& sql) {
    const int code = sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return std::unexpected(error_of(connection_, code));
    return {};
}

Result<std::int64_t> Database::query_integer(const std::string& sql) {
    Statement statement(connection_, sql);
    const auto stepped = statement.step();
    if (!stepped) return std::unexpected(stepped.error());
    return *stepped == Stepped::row ? statement.integer() : 0;
}

Result<std::string> Database::query_text(const std::string& sql) {
    Statement statement(connection_, sql);
    const auto stepped = statement.step();
    if (!stepped) return std::unexpected(stepped.error());
    return *stepped == Stepped::row ? statement.text() : std::string();
}

}  // namespace holdfast::sqlite
