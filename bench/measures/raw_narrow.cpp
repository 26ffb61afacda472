#include "measures/raw_narrow.h"

#include <libpq-fe.h>
#include <sqlite3.h>

#include <chrono>
#include <functional>
#include <memory>

#include "report.h"
#include "store/sqlite/database.h"
#include "support/world.h"

namespace holdfast::bench {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int in_a_commit = 256;
constexpr std::chrono::seconds sampled{1};
constexpr int single_commits = 1'000;

constexpr const char* tables =
    "create table raw_instances (id integer primary key, status text not null, version integer "
    "not null, state text not null);"
    "create table raw_steps (id integer, step integer, value text, primary key (id, step));"
    "create table raw_history (id integer, version integer, payload text, primary key (id, "
    "version));";

// Calls `run` with 0, 1, 2, ... for 256 workflows each, until the time is over.
double rate_of(const std::function<void(int)>& run) {
    const auto began = Steady::now();
    int times = 0;
    while (Steady::now() - began < sampled) run(times++);
    return in_a_commit * times / std::chrono::duration<double>(Steady::now() - began).count();
}

class Sqlite {
public:
    explicit Sqlite(const std::string& path) {
        sqlite::configure_process();  // the settings that Holdfast makes
        sqlite3* opened = nullptr;
        sqlite3_open(path.c_str(), &opened);
        database_.reset(opened);
        run("pragma journal_mode = wal; pragma synchronous = full");
        run(tables);
    }
    // The row of the n-th commit of one row.
    void commit_one(int n) {
        run("insert into raw_steps values (" + std::to_string(n) + ", 2, '1')");
    }
    void run(const std::string& sql) {
        char* message = nullptr;
        if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
            throw std::runtime_error(message);
    }
    double measure() {
        Statement start(*this, "insert into raw_instances values (?1, 'running', 1, '{}')");
        Statement first(*this, "insert into raw_history values (?1, 1, '{}')");
        Statement end(*this,
                      "update raw_instances set status = 'succeeded', version = 2 "
                      "where id = ?1 and version = 1");
        Statement step(*this, "insert into raw_steps values (?1, 1, '1')");
        Statement last(*this, "insert into raw_history values (?1, 2, '{}')");
        return rate_of([&](int n) {
            run("begin immediate");
            for (int i = 0; i < in_a_commit; ++i) {
                start.run(n * in_a_commit + i);
                first.run(n * in_a_commit + i);
            }
            run("commit");
            run("begin immediate");
            for (int i = 0; i < in_a_commit; ++i) {
                end.run(n * in_a_commit + i);
                step.run(n * in_a_commit + i);
                last.run(n * in_a_commit + i);
            }
            run("commit");
        });
    }

private:
    struct Statement {
        Statement(Sqlite& owner, const char* sql) {
            sqlite3_prepare_v2(owner.database_.get(), sql, -1, &statement, nullptr);
        }
        ~Statement() { sqlite3_finalize(statement); }
        void run(int id) {
            sqlite3_bind_int(statement, 1, id);
            sqlite3_step(statement);
            sqlite3_reset(statement);
        }
        sqlite3_stmt* statement = nullptr;
    };

    struct Close {
        void operator()(sqlite3* database) const { sqlite3_close(database); }
    };
    std::unique_ptr<sqlite3, Close> database_;
};

class Postgres {
public:
    explicit Postgres(const std::string& url) : connection_(PQconnectdb(url.c_str()), PQfinish) {
        run("set client_min_messages = warning");
        run("drop table if exists raw_instances, raw_steps, raw_history");
        run(tables);
        run("prepare starts as with i as (insert into raw_instances select n, 'running', 1, '{}' "
            "from generate_series($1::int, $1 + 255) n returning id) "
            "insert into raw_history select id, 1, '{}' from i");
        run("prepare ends as with i as (update raw_instances set status = 'succeeded', "
            "version = 2 where id between $1::int and $1 + 255 and version = 1 returning id), "
            "s as (insert into raw_steps select id, 1, '1' from i) "
            "insert into raw_history select id, 2, '{}' from i");
    }
    void run(const std::string& sql) {
        const std::unique_ptr<PGresult, decltype(&PQclear)> result(
            PQexec(connection_.get(), sql.c_str()), PQclear);
        if (PQresultStatus(result.get()) != PGRES_COMMAND_OK)
            throw std::runtime_error(PQerrorMessage(connection_.get()));
    }
    void commit_one(int n) {
        run("insert into raw_steps values (" + std::to_string(n) + ", 2, '1')");
    }
    double measure() {
        return rate_of([&](int n) {
            run("execute starts(" + std::to_string(n * in_a_commit) + ")");
            run("execute ends(" + std::to_string(n * in_a_commit) + ")");
        });
    }

private:
    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

template <class Database>
double median_commit_ms(Database database) {
    std::vector<double> times;
    for (int n = 0; n < single_commits; ++n) {
        const auto began = Steady::now();
        database.commit_one(n);
        times.push_back(std::chrono::duration<double, std::milli>(Steady::now() - began).count());
    }
    return percentile(times, 0.5);
}

std::string file_of(const testing::StorePlace& place) {
    return place.url().substr(std::string_view("sqlite:").size());
}

}  // namespace

double raw_workflows_per_second(const std::string& kind) {
    const testing::StorePlace place(kind, "", testing::StorePlace::Content::nothing);
    if (kind == "sqlite") return Sqlite(file_of(place)).measure();
    return Postgres(place.url()).measure();
}

double raw_commit_ms(const std::string& kind) {
    const testing::StorePlace place(kind, "", testing::StorePlace::Content::nothing);
    if (kind == "sqlite") return median_commit_ms(Sqlite(file_of(place)));
    return median_commit_ms(Postgres(place.url()));
}

}  // namespace holdfast::bench
