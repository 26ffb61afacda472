// A thin wrapper of SQLite: connections, prepared statements, columns.
#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids/digest.h"
#include "base/ids/uuid.h"
#include "base/result.h"
#include "base/time/moment.h"

namespace holdfast::sqlite {

enum class Mode { read_write, read_only };

enum class Stepped { row, done };

// Bound as a blob, so that any bytes are stored unchanged.
struct Bytes {
    std::string_view bytes;
};

// A prepared statement. Used by one thread at a time.
class Statement {
public:
    Statement(sqlite3* connection, std::string_view text);
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    // Resets the statement and binds the parameters in order.
    template <class... Values>
    Statement& bind(const Values&... values) {
        sqlite3_reset(statement_);
        column_ = 0;
        bound_ = 0;
        corrupt_.clear();
        (bind_next(values), ...);
        return *this;
    }
    template <class Value>
    void bind_next(const Value& value) {
        bind_one(++bound_, value);
    }
    Result<Stepped> step();
    // For statements that return no rows.
    Result<void> run();
    void reset() { sqlite3_reset(statement_); }

    // The columns of the current row, from left to right.
    std::int64_t integer() { return sqlite3_column_int64(statement_, column_++); }
    bool flag() { return integer() != 0; }
    std::string text() { return std::string(view()); }
    std::string bytes();
    Moment moment() { return Moment{std::chrono::microseconds{integer()}}; }
    Digest digest();
    Uuid uuid();
    template <class SomeId>
    SomeId id() {
        return SomeId{uuid()};
    }
    bool is_null() const { return sqlite3_column_type(statement_, column_) == SQLITE_NULL; }
    // Reads the next column unless it is null.
    template <class Read>
    auto optional(Read read) -> std::optional<decltype(read(*this))> {
        if (!is_null()) return read(*this);
        ++column_;
        return std::nullopt;
    }
    // A column of the current row has a value that no column of its table can have: whoever reads
    // the rows fails as corrupt.
    void mark_corrupt(std::string_view table, std::string_view column);
    Result<void> check() const;

    std::string_view view();
    // Of all texts and blobs of the current row.
    std::size_t row_bytes() const;

private:
    void bind_one(int index, std::int64_t value) { sqlite3_bind_int64(statement_, index, value); }
    void bind_one(int index, std::uint64_t value) {
        bind_one(index, static_cast<std::int64_t>(value));
    }
    void bind_one(int index, int value) { bind_one(index, std::int64_t{value}); }
    void bind_one(int index, std::uint32_t value) { bind_one(index, std::int64_t{value}); }
    void bind_one(int index, bool value) { bind_one(index, std::int64_t{value}); }
    void bind_one(int index, std::nullopt_t) { sqlite3_bind_null(statement_, index); }
    void bind_one(int index, Moment value) { bind_one(index, value.time_since_epoch().count()); }
    // Not copied: the text must outlive the execution.
    void bind_one(int index, std::string_view value) {
        sqlite3_bind_text64(statement_, index, value.data(), value.size(), SQLITE_STATIC,
                            SQLITE_UTF8);
    }
    void bind_one(int index, const std::string& value) { bind_one(index, std::string_view(value)); }
    void bind_one(int index, const char* value) { bind_one(index, std::string_view(value)); }
    void bind_one(int index, Bytes value) {
        bind_blob(index, value.bytes.data(), value.bytes.size());
    }
    void bind_one(int index, const Digest& value) {
        bind_blob(index, value.bytes.data(), value.bytes.size());
    }
    template <class Tag>
    void bind_one(int index, const Id<Tag>& value) {
        bind_blob(index, value.value.bytes.data(), 16);
    }
    void bind_one(int index, const std::vector<std::uint8_t>& value) {
        bind_blob(index, value.data(), value.size());
    }
    template <class T>
    void bind_one(int index, const std::optional<T>& value) {
        if (value)
            bind_one(index, *value);
        else
            sqlite3_bind_null(statement_, index);
    }
    void bind_blob(int index, const void* bytes, std::size_t size) {
        sqlite3_bind_blob64(statement_, index, bytes, size, SQLITE_STATIC);
    }

    sqlite3_stmt* statement_ = nullptr;
    int column_ = 0;
    int bound_ = 0;
    std::string corrupt_;  // empty: the rows are sound
};

// Settings of SQLite that hold for the whole process. Without effect once something else has used
// it.
void configure_process();

class Database {
public:
    static Result<std::unique_ptr<Database>> open(const std::string& path, Mode mode);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    // The statement of that name in the .sql files, prepared on first use. `name` must be a string
    // literal: repeated lookups use its address.
    Statement& operator[](std::string_view name);
    // Runs SQL that is not a named statement: pragmas and migrations.
    Result<void> execute(const std::string& sql);
    Result<std::int64_t> query_integer(const std::string& sql);
    Result<std::string> query_text(const std::string& sql);
    std::int64_t last_insert_rowid() const { return sqlite3_last_insert_rowid(connection_); }
    // Rows that the last statement changed, without cascaded deletes.
    std::size_t changed() const { return static_cast<std::size_t>(sqlite3_changes64(connection_)); }
    sqlite3* handle() { return connection_; }
    // Statements fail as unavailable soon after a stop is requested. An empty token: never.
    void stop_with(std::stop_token stop);

private:
    explicit Database(sqlite3* connection) : connection_(connection) {}

    sqlite3* connection_;
    std::stop_token stop_;
    std::map<std::string, std::unique_ptr<Statement>, std::less<>> statements_;
    std::unordered_map<const char*, Statement*> by_literal_;
};

// Readers for Statement::optional.
inline std::string text_of(Statement& row) { return row.text(); }
inline Moment moment_of(Statement& row) { return row.moment(); }

// Maps a result code to an Error. An I/O error on the write path is fatal (I37), see writer.cpp.
Error error_of(sqlite3* connection, int code);

}  // namespace holdfast::sqlite
