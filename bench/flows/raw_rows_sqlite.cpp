#include <sqlite3.h>

#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <variant>
#include <vector>

#include "raw_rows.h"
#include "support/world.h"

namespace holdfast::bench {
namespace {

using Blob = std::vector<unsigned char>;
using Value = std::variant<std::nullptr_t, std::int64_t, std::string, Blob>;

// Reads a literal of an expanded statement and moves past it.
Value read_literal(const char*& at) {
    if (std::strncmp(at, "NULL", 4) == 0) return at += 4, nullptr;
    if (*at == '\'') {
        std::string text;
        for (++at; *at != '\'' || at[1] == '\''; ++at) {
            if (*at == '\'') ++at;
            text += *at;
        }
        return ++at, text;
    }
    if (*at == 'x' && at[1] == '\'') {
        Blob bytes;
        for (at += 2; *at != '\''; at += 2)
            bytes.push_back(static_cast<unsigned char>(std::stoi(std::string(at, 2), nullptr, 16)));
        return ++at, bytes;
    }
    char* end = nullptr;
    const std::int64_t number = std::strtoll(at, &end, 10);
    at = end;
    return number;
}

// The parameters of a statement, from its text and the text with its parameters as literals.
std::map<int, Value> bound_values(sqlite3_stmt* statement, const char* text, const char* expanded) {
    std::map<int, Value> values;
    while (*text) {
        if (*text == '?') {
            const int index = std::atoi(++text);
            while (std::isdigit(static_cast<unsigned char>(*text))) ++text;
            values[index > 0 ? index : static_cast<int>(values.size()) + 1] =
                read_literal(expanded);
            continue;
        }
        if (std::strncmp(text, "--", 2) == 0) {
            const std::size_t comment = std::strcspn(text, "\n");
            text += comment, expanded += comment;
            continue;
        }
        const bool quoted = *text == '\'';
        ++text, ++expanded;
        if (!quoted) continue;
        const char* end = std::strchr(text, '\'') + 1;
        expanded += end - text;
        text = end;
    }
    if (static_cast<int>(values.size()) != sqlite3_bind_parameter_count(statement))
        throw std::runtime_error("cannot read the parameters of a statement");
    return values;
}

struct SqliteWrite {
    std::string sql;
    std::map<int, Value> values;
};

bool begins_with(std::string_view text, std::string_view word) {
    const auto first = text.find_first_not_of(" \n");
    return first != std::string_view::npos && text.substr(first).starts_with(word);
}

class SqliteRecording final : public RecordedWrites {
public:
    SqliteRecording() {
        current = this;
        sqlite3_auto_extension(reinterpret_cast<void (*)()>(watch));
    }
    ~SqliteRecording() override {
        stop();
        current = nullptr;
    }
    void start_timing() override {
        const std::lock_guard lock(mutex_);
        timed_from_ = writes_.size();
    }
    void stop() override {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        sqlite3_reset_auto_extension();
    }
    Replayed replay() override;

private:
    static int watch(sqlite3* database, char**, const sqlite3_api_routines*) {
        return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, record, database);
    }
    static int record(unsigned, void* database, void* statement, void* text) {
        if (current)
            current->add(database, static_cast<sqlite3_stmt*>(statement),
                         static_cast<const char*>(text));
        return 0;
    }
    void add(void* database, sqlite3_stmt* statement, const char* text) {
        const std::lock_guard lock(mutex_);
        const bool of_trigger = std::strncmp(text, "--", 2) == 0 && !std::strchr(text, '\n');
        if (stopped_ || of_trigger || begins_with(text, "pragma")) return;
        const bool ends = begins_with(text, "commit") || begins_with(text, "rollback");
        if (sqlite3_stmt_readonly(statement) && !(ends && writer_ == database)) return;
        writer_ = database;
        const std::unique_ptr<char, decltype(&sqlite3_free)> expanded(
            sqlite3_expanded_sql(statement), sqlite3_free);
        writes_.push_back({text, bound_values(statement, text, expanded.get())});
    }

    static inline SqliteRecording* current = nullptr;
    std::mutex mutex_;
    void* writer_ = nullptr;
    bool stopped_ = false;
    std::vector<SqliteWrite> writes_;
    std::size_t timed_from_ = 0;
};

// Runs recorded statements on its own connection, each prepared once.
class SqlitePlayer {
public:
    explicit SqlitePlayer(const std::string& path) {
        sqlite3_open(path.c_str(), &database_);
        run({"pragma journal_mode = wal", {}});
        run({"pragma synchronous = full", {}});
        run({"pragma foreign_keys = on", {}});
    }
    ~SqlitePlayer() {
        for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
        sqlite3_close(database_);
    }
    void run(const SqliteWrite& write) {
        sqlite3_stmt*& statement = statements_[write.sql];
        if (!statement) sqlite3_prepare_v2(database_, write.sql.c_str(), -1, &statement, nullptr);
        for (const auto& [index, value] : write.values) bind(statement, index, value);
        int code = SQLITE_ROW;
        while (code == SQLITE_ROW) code = sqlite3_step(statement);
        sqlite3_reset(statement);
        if (code != SQLITE_DONE)
            throw std::runtime_error(write.sql + ": " + sqlite3_errmsg(database_));
    }

private:
    static void bind(sqlite3_stmt* statement, int index, const Value& value) {
        if (const auto* number = std::get_if<std::int64_t>(&value))
            sqlite3_bind_int64(statement, index, *number);
        else if (const auto* text = std::get_if<std::string>(&value))
            sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_STATIC,
                                SQLITE_UTF8);
        else if (const auto* blob = std::get_if<Blob>(&value))
            sqlite3_bind_blob64(statement, index,
                                blob->empty() ? static_cast<const void*>("") : blob->data(),
                                blob->size(), SQLITE_STATIC);
        else
            sqlite3_bind_null(statement, index);
    }

    sqlite3* database_ = nullptr;
    std::map<std::string, sqlite3_stmt*> statements_;
};

RecordedWrites::Replayed SqliteRecording::replay() {
    const testing::StorePlace place("sqlite");
    SqlitePlayer player(place.url().substr(7));
    Replayed replayed;
    auto began = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < writes_.size(); ++i) {
        if (i == timed_from_) began = std::chrono::steady_clock::now();
        player.run(writes_[i]);
        if (i < timed_from_) continue;
        const bool begins = begins_with(writes_[i].sql, "begin");
        const bool ends = begins_with(writes_[i].sql, "commit");
        replayed.transactions += ends;
        replayed.statements += !begins && !ends;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    replayed.seconds = took.count();
    return replayed;
}

}  // namespace

std::unique_ptr<RecordedWrites> record_sqlite() { return std::make_unique<SqliteRecording>(); }

}  // namespace holdfast::bench
