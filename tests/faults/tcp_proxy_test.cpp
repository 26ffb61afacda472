// The proxy breaks a connection exactly at the configured point.
#include "support/tcp_proxy.h"

#include <gtest/gtest.h>
#include <libpq-fe.h>

#include "base/threads/pause.h"
#include "support/postgres_wire.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;
using Link = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using Rows = std::unique_ptr<PGresult, decltype(&PQclear)>;

Link connect(const std::string& url) { return {PQconnectdb(url.c_str()), &PQfinish}; }

std::string query(PGconn* link, const std::string& sql) {
    const Rows rows(PQexec(link, sql.c_str()), &PQclear);
    EXPECT_NE(PQresultStatus(rows.get()), PGRES_FATAL_ERROR) << PQerrorMessage(link);
    return PQntuples(rows.get()) > 0 ? PQgetvalue(rows.get(), 0, 0) : "";
}

class Proxy : public ::testing::Test {
protected:
    Proxy() {
        query(direct_.get(), "drop table if exists t");
        query(direct_.get(), "create table t (n int)");
    }

    // Inserts a row in one pipeline, as a node does. Returns whether COMMIT was answered.
    bool insert() {
        const Link link = connect(proxy_.url("postgres"));
        EXPECT_EQ(PQstatus(link.get()), CONNECTION_OK) << PQerrorMessage(link.get());
        PQclear(PQprepare(link.get(), "commit_round", "commit", 0, nullptr));
        PQenterPipelineMode(link.get());
        for (const char* sql : {"begin", "insert into t values (1)"})
            PQsendQueryParams(link.get(), sql, 0, nullptr, nullptr, nullptr, nullptr, 0);
        PQsendQueryPrepared(link.get(), "commit_round", 0, nullptr, nullptr, nullptr, 0);
        PQpipelineSync(link.get());
        bool committed = false;
        for (int empty = 0; empty < 2 && PQstatus(link.get()) == CONNECTION_OK;) {
            const Rows rows(PQgetResult(link.get()), &PQclear);
            empty = rows ? 0 : empty + 1;
            if (rows && std::string_view(PQcmdStatus(rows.get())) == "COMMIT") committed = true;
        }
        return committed;
    }
    std::string count() { return query(direct_.get(), "select count(*) from t"); }
    // Waits up to 5 s: the server may still commit after the client was cut off.
    bool reaches(const std::string& wanted) {
        for (int i = 0; i < 500 && count() != wanted; ++i) pause_for(10ms);
        return count() == wanted;
    }

    PrivatePostgres& postgres_ = shared_postgres();
    TcpProxy proxy_{postgres_.directory()};
    Link direct_ = connect(postgres_.url());
};

TEST_F(Proxy, PassesEverythingUnlessItIsArmed) {
    EXPECT_TRUE(insert());
    EXPECT_EQ(count(), "1");
    EXPECT_EQ(proxy_.commits(), 1u);
    EXPECT_EQ(proxy_.cuts(), 0u);
}

TEST_F(Proxy, CutsBeforeTheServerReceivesACommit) {
    proxy_.arm(Cut::before_commit);
    EXPECT_FALSE(insert());
    EXPECT_TRUE(proxy_.wait_for_cut(5s));
    EXPECT_EQ(count(), "0");
}

TEST_F(Proxy, CutsTheClientOffWhileTheServerCommits) {
    proxy_.arm(Cut::behind_commit);
    EXPECT_FALSE(insert());
    EXPECT_TRUE(proxy_.wait_for_cut(5s));
    EXPECT_TRUE(reaches("1"));
}

TEST_F(Proxy, CutsWhenTheServerHasCommitted) {
    for (const Cut cut : {Cut::after_commit, Cut::inside_answer}) {
        const int before = std::stoi(count());
        proxy_.arm(cut);
        EXPECT_FALSE(insert()) << name_of(cut);
        EXPECT_TRUE(proxy_.wait_for_cut(5s)) << name_of(cut);
        EXPECT_EQ(count(), std::to_string(before + 1)) << name_of(cut);
    }
    EXPECT_EQ(proxy_.cuts(), 2u);
    EXPECT_TRUE(insert()) << "one cut each time it is armed";
}

TEST_F(Proxy, DropsNotifications) {
    const Link link = connect(proxy_.url("postgres"));
    query(link.get(), "listen work");
    const auto notified = [&] {
        query(direct_.get(), "notify work");
        query(link.get(), "select 1");
        const std::unique_ptr<PGnotify, decltype(&PQfreemem)> note(PQnotifies(link.get()),
                                                                   &PQfreemem);
        return note != nullptr;
    };
    EXPECT_TRUE(notified());
    proxy_.set(Notifications::dropped);
    EXPECT_FALSE(notified());
    EXPECT_EQ(proxy_.dropped(), 1u);
    proxy_.set(Notifications::passed);
    EXPECT_TRUE(notified());
}

TEST_F(Proxy, BreaksEveryConnection) {
    const Link link = connect(proxy_.url("postgres"));
    query(link.get(), "select 1");
    proxy_.break_all();
    for (int i = 0; i < 500 && PQstatus(link.get()) == CONNECTION_OK; ++i) {
        pause_for(10ms);
        PQclear(PQexec(link.get(), "select 1"));
    }
    EXPECT_EQ(PQstatus(link.get()), CONNECTION_BAD);
    EXPECT_TRUE(insert()) << "new connections work";
}

TEST(PostgresWire, FindsMessagesOnlyWhenTheyAreWhole) {
    const std::string bind("B\0\0\0\x16\0commit_round\0\0\0\0", 22);
    for (std::size_t size = 0; size < bind.size(); ++size)
        EXPECT_FALSE(wire::first_message(bind.substr(0, size), wire::Form::typed)) << size;
}

}  // namespace
}  // namespace holdfast::testing
