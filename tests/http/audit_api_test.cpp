// The audit over HTTP and on the command line: what is told, and that no change of it goes
// unnoticed.
#include <gtest/gtest.h>

#include "command_line.h"
#include "http/access/audit_log.h"
#include "support/api_server.h"
#include "support/eventually.h"
#include "support/forwarding_store.h"
#include "support/server_process.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using namespace std::chrono_literals;

const std::string audit_path = "/api/v1/audit";
constexpr const char* nobody_id = "01890a5d-ac96-774b-bcce-b302099a8057";

class AuditApi : public DurableApi {
protected:
    Reply call(Method method, const std::string& target, const std::string& body = {},
               Fields headers = {}) {
        if (!key_.empty()) headers.emplace_back("Authorization", "Bearer " + key_);
        return server_.call(method, target, body, headers);
    }
    std::string make_key(const std::string& role) {
        const Reply made =
            call(Method::post, "/api/v1/keys", R"({"name": "ann", "roles": [")" + role + "\"]}");
        EXPECT_EQ(made.status, 201) << made;
        return made.text_at("/key");
    }
    bj::array rows(const std::string& query = "?order=oldest") {
        const Reply page = call(Method::get, audit_path + query);
        EXPECT_EQ(page.status, 200) << page;
        return page.at("/items").as_array();
    }
    std::vector<std::string> actions(const std::string& query = "?order=oldest") {
        std::vector<std::string> actions;
        for (const bj::value& row : rows(query)) actions.emplace_back(row.at("action").as_string());
        return actions;
    }
    using Actions = std::vector<std::string>;

    std::string key_;
};

INSTANTIATE_TEST_SUITE_P(Stores, AuditApi, durable_stores(), store_name);

TEST_P(AuditApi, WhoMadeAKeyIsToldWithWhatCameOfIt) {
    key_ = make_key("admin");
    make_key("viewer");
    const bj::array told = rows();
    ASSERT_EQ(told.size(), 2u);
    const bj::object& second = told[1].as_object();
    EXPECT_EQ(second.at("number"), 2);
    EXPECT_EQ(second.at("action"), "createKey");
    EXPECT_EQ(second.at("target"), "/api/v1/keys");
    EXPECT_EQ(second.at("status"), 201);
    EXPECT_EQ(second.at("user"), "ann");
    EXPECT_EQ(second.at("credential"), bj::value(key_.substr(3, 16)));
    EXPECT_EQ(second.at("address"), "127.0.0.1");
    EXPECT_EQ(second.at("node"), "node");
    EXPECT_EQ(second.at("count"), 1);
    EXPECT_TRUE(second.at("detail").at("made").as_string().starts_with("/api/v1/keys/"));
    EXPECT_EQ(told[0].at("credential"), "local")
        << "the first key was made by nobody in particular";
    EXPECT_EQ(bj::serialize(told).find(key_.substr(20)), std::string::npos) << "no secret";
}

TEST_P(AuditApi, RemovalsRedrivesRetentionAndReadsOfDeadLettersAreTold) {
    call(Method::get, "/api/v1/dead-letters?limit=3");
    call(Method::get, std::string("/api/v1/dead-letters/") + nobody_id);
    call(Method::post, std::string("/api/v1/dead-letters/") + nobody_id + "/redrive");
    call(Method::del, std::string("/api/v1/dead-letters/") + nobody_id);
    call(Method::del, ApiServer::path_of(nobody_id), {}, {{"If-Match", "\"1\""}});
    call(Method::post, "/api/v1/retention/run?dryRun=true");
    EXPECT_EQ(actions(), (Actions{"listDeadLetters", "getDeadLetter", "redriveDeadLetter",
                                  "removeDeadLetter", "clearWorkflow", "runRetention"}));
    const bj::array told = rows();
    EXPECT_EQ(told[0].at("target"), "/api/v1/dead-letters") << "without what was searched for";
    EXPECT_EQ(told[2].at("status"), 404);
    EXPECT_EQ(actions("?action=listAudit"), Actions{"listAudit"}) << "who reads the audit";
}

TEST_P(AuditApi, WhoChangesASchedule) {
    const std::string path = "/api/v1/schedules/nightly";
    EXPECT_EQ(call(Method::put, "/api/v1/definitions/order", "{}").status, 201);
    const Reply made =
        call(Method::put, path, R"({"cron": "0 2 * * *", "start": {"definition": "order"}})");
    EXPECT_EQ(made.status, 201) << made;
    EXPECT_EQ(call(Method::del, path).status, 204);
    EXPECT_EQ(actions(), (Actions{"putDefinition", "putSchedule", "removeSchedule"}));
}

TEST_P(AuditApi, ForWhomAnOperatorActsIsTold) {
    key_ = make_key("admin");
    call(Method::post, "/api/v1/retention/run?dryRun=true", {}, {{"X-User-Id", "bob"}});
    const bj::value last = rows().back();
    EXPECT_EQ(last.at("user"), "bob");
    EXPECT_EQ(last.at("by"), "ann");
}

TEST_P(AuditApi, FiltersAndPages) {
    for (int i = 0; i < 3; ++i) call(Method::del, std::string("/api/v1/dead-letters/") + nobody_id);
    call(Method::post, "/api/v1/retention/run?dryRun=true");
    EXPECT_EQ(actions("?action=runRetention"), Actions{"runRetention"});
    EXPECT_EQ(actions("?credential=local&address=127.0.0.1&before=2020-01-01T00:00:00Z"),
              Actions{});
    EXPECT_EQ(actions("?limit=1"), Actions{"listAudit"}) << "the newest first";
    const Reply first = call(Method::get, audit_path + "?order=oldest&limit=2");
    const std::string cursor = first.text_at("/nextCursor");
    EXPECT_EQ(actions("?order=oldest&limit=2&cursor=" + cursor),
              (Actions{"removeDeadLetter", "runRetention"}));
    EXPECT_EQ(call(Method::get, audit_path + "?order=newest&limit=2&cursor=" + cursor).status, 400);
    EXPECT_EQ(call(Method::get, audit_path + "?from=yesterday").status, 400);
}

TEST_P(AuditApi, ManyReadsAreToldInOneRow) {
    for (int i = 0; i < 20; ++i) call(Method::get, "/api/v1/dead-letters");
    EXPECT_EQ(actions("?action=listDeadLetters").size(), 1u) << "the first at once";
    server_.restart();
    const bj::array told = rows("?action=listDeadLetters&order=oldest");
    ASSERT_EQ(told.size(), 2u) << "the others when a minute is over, or the server ends";
    EXPECT_EQ(told[1].at("count"), 19);
}

TEST_P(AuditApi, FailedSignInsAndRefusalsAreToldTogether) {
    key_ = make_key("admin");
    const std::string viewer = make_key("viewer");
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(server_.call(Method::get, "/version", {}, {{"Authorization", "Bearer x"}}).status,
                  401);
        EXPECT_EQ(
            server_.call(Method::get, "/api/v1/keys", {}, {{"Authorization", "Bearer " + viewer}})
                .status,
            403);
    }
    server_.restart();
    const bj::array failed = rows("?action=failSignIn");
    ASSERT_EQ(failed.size(), 1u);
    EXPECT_EQ(failed[0].at("count"), 5);
    EXPECT_EQ(failed[0].at("address"), "127.0.0.1");
    const bj::array refused = rows("?action=listKeys");
    ASSERT_EQ(refused.size(), 1u);
    EXPECT_EQ(refused[0].at("status"), 403);
    EXPECT_EQ(refused[0].at("count"), 5);
    EXPECT_EQ(refused[0].at("credential"), bj::value(viewer.substr(3, 16)));
}

TEST_P(AuditApi, ASessionIsToldWithItsOwnId) {
    key_ = make_key("admin");
    const Reply entered =
        server_.call(Method::post, "/api/v1/sign-in", R"({"key": ")" + key_ + "\"}");
    ASSERT_EQ(entered.status, 200) << entered;
    const bj::array told = rows("?action=signIn");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].at("credential"), entered.at("/credential"));
    EXPECT_EQ(told[0].at("user"), "ann");
}

// What somebody does to the rows, and what verify says then.
struct Tampering {
    const char* what;
    const char* sql;
    const char* said;
};
constexpr Tampering tamperings[] = {
    {"a changed row", "update audit set user_id = 'bob' where number = 2", "row 2 was changed"},
    {"a changed time",
     "update audit set at = (select at from audit where number = 1) where number = 3",
     "row 3 was changed"},
    {"broken detail", "update audit set detail = '{' where number = 2", "row 2 was changed"},
    {"a removed row", "delete from audit where number = 3", "row 3 is missing"},
    {"the last rows cut off", "delete from audit where number >= 4", "the last rows are missing"},
    {"the first rows cut off", "delete from audit where number <= 2", "row 1 is missing"},
    {"two rows swapped",
     "update audit set number = -1 where number = 2; update audit set number = 2 where number = 3; "
     "update audit set number = 3 where number = -1",
     "row 2 was changed"},
    {"the last rows cut off with the head",
     "delete from audit where number >= 4; update audit_heads set newest = 3",
     "is not the one that was written last"},
    {"the first rows cut off with the anchor",
     "update audit_heads set forgotten = 2, anchor = (select hash from audit where number = 2); "
     "delete from audit where number <= 2",
     "no row says that retention has removed them"},
    {"all rows cut off", "delete from audit", "the last rows are missing"},
    {"all rows cut off with the head", "delete from audit; delete from audit_heads", "it is empty"},
};

class AuditVerify : public AuditApi {
protected:
    AuditVerify() {
        for (int i = 0; i < 4; ++i)
            call(Method::del, std::string("/api/v1/dead-letters/") + nobody_id);
        call(Method::post, "/api/v1/retention/run?dryRun=true");
    }
    cli::Ran verify(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"audit", "verify", "--server",
                                           "http://127.0.0.1:" + std::to_string(server_.port())};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return cli::run(std::move(arguments));
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, AuditVerify, durable_stores(), store_name);

TEST_P(AuditVerify, AnUntouchedChainIsRight) {
    const cli::Ran ran = verify();
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("ok: 5 rows")) << ran.out;
    server_.restart();
    EXPECT_EQ(verify().code, 0);
}

TEST_P(AuditVerify, EveryChangeIsFound) {
    for (const Tampering& one : tamperings) {
        SCOPED_TRACE(one.what);
        const std::string saved =
            "create table if not exists kept as select * from audit where false; "
            "create table if not exists kept_heads as select * from audit_heads where false; "
            "delete from kept; delete from kept_heads; insert into kept select * from audit; "
            "insert into kept_heads select * from audit_heads; ";
        server_.tamper(saved + one.sql);
        const cli::Ran ran = verify();
        EXPECT_EQ(ran.code, 1) << ran.out;
        EXPECT_NE(ran.err.find(one.said), std::string::npos) << ran.err;
        server_.tamper(
            "delete from audit; delete from audit_heads; insert into audit select * from kept; "
            "insert into audit_heads select * from kept_heads");
        EXPECT_EQ(verify().code, 0) << "what the test has put back";
    }
}

// Who can write the database can make a whole new chain. An export tells it from the old one.
TEST_P(AuditVerify, AnExportTellsAChainThatWasMadeAnew) {
    const cli::Directory place;
    const std::string url = "http://127.0.0.1:" + std::to_string(server_.port());
    const cli::Ran exported = cli::run({"audit", "export", "--server", url});
    ASSERT_EQ(exported.code, 0) << exported.err;
    std::ofstream(place.file("export")) << exported.out;
    EXPECT_EQ(verify({"--export", place.file("export")}).code, 0);
    server_.tamper("delete from audit; delete from audit_heads");
    for (int i = 0; i < 9; ++i) call(Method::post, "/api/v1/retention/run?dryRun=true");
    EXPECT_EQ(verify().code, 0) << "a chain of its own";
    const cli::Ran found = verify({"--export", place.file("export")});
    EXPECT_EQ(found.code, 1);
    EXPECT_NE(found.err.find("row 1 is another one than in the export"), std::string::npos)
        << found.err;
    EXPECT_EQ(verify({"--export", place.file("nowhere")}).code, 2);
}

// A store that cannot write the audit.
class Unwritable : public ForwardingStore {
public:
    using ForwardingStore::ForwardingStore;
    Result<std::size_t> append_audit(const AuditAppend&) override {
        return fail(ErrorCode::unavailable, "the disk is full");
    }
};

TEST(AuditLog, WhatCannotBeRecordedIsNotAnswered) {
    ApiServer server(
        "memory", {.in_between = [](Store& store) { return std::make_unique<Unwritable>(store); }});
    const Reply read = server.call(Method::get, "/api/v1/dead-letters");
    EXPECT_EQ(read.status, 503);
    EXPECT_EQ(read.slug(), "audit-unavailable");
    EXPECT_EQ(read.text.find("items"), std::string::npos);
    EXPECT_EQ(server.call(Method::get, "/api/v1/workflows").status, 200) << "it is not audited";
}

TEST(AuditLog, OldRowsAreRemovedAndTheChainStaysRight) {
    ApiServer server("memory", {.audit = {.keep = 1us, .forget_every = 20ms}});
    server.call(Method::post, "/api/v1/retention/run?dryRun=true");
    EXPECT_TRUE(eventually([&] {
        const Reply page = server.call(Method::get, audit_path + "?order=oldest");
        return page.number_at("/forgotten") >= 1u &&
               page.text.find("forgetAudit") != std::string::npos;
    }));
    const cli::Ran ran = cli::run(
        {"audit", "verify", "--server", "http://127.0.0.1:" + std::to_string(server.port())});
    EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST(AuditLog, AllThatIsOldIsRemovedThoughItIsMuch) {
    SystemClock clock;
    auto store = *open_store("memory:", {.clock = &clock});
    const AuditRow old{.at = clock.now() - 1h, .action = "a", .target = "/", .node = "a"};
    ASSERT_TRUE(store->append_audit({.rows = std::vector<AuditRow>(25'000, old)}));
    const http::AuditLog log(*store, clock, {.node = "a", .keep = 30min, .forget_every = 1h});
    EXPECT_TRUE(
        eventually([&] { return store->ask(AuditQuery{.limit = 1})->head.forgotten == 25'000u; }));
}

// The round of a change may end after the server.
TEST(AuditLog, AResponseMayComeWhenTheLogHasGone) {
    SystemClock clock;
    auto store = *open_store("memory:", {.clock = &clock});
    const http::Route route{.pattern = "/",
                            .description = http::Description("removeIt", http::admins, "Removes."),
                            .handler = {}};
    http::Request request;
    request.method = Method::del;
    request.route = &route;
    std::size_t sent = 0;
    auto log = std::make_unique<http::AuditLog>(*store, clock, http::AuditOptions{.node = "a"});
    http::Respond late = log->recording(request, http::Respond([&](http::Response) { ++sent; }));
    http::Respond timely = log->recording(request, http::Respond([&](http::Response) { ++sent; }));
    timely(http::Response{});
    log.reset();
    EXPECT_EQ(sent, 1u) << "what came in time was written";
    late(http::Response{});
    EXPECT_EQ(sent, 1u);
    EXPECT_EQ(store->ask(AuditQuery{})->items.size(), 1u);
}

TEST(ServerAudit, AStartIsToldWithItsSettings) {
    const cli::Directory place;
    const std::string url = "sqlite:" + place.file("store.db");
    ServerProcess server(url, {"--queue", "77"});
    ASSERT_TRUE(eventually([&] {
        return cli::run({"audit", "list", "--server", server.url()}).out.find("startServer") !=
               std::string::npos;
    }));
    server.restart();
    ASSERT_TRUE(eventually([&] {
        const cli::Ran told =
            cli::run({"audit", "export", "--server", server.url(), "--action", "startServer"});
        return std::ranges::count(told.out, '\n') == 2 &&
               told.out.find(R"("queue":["77"])") != std::string::npos;
    })) << "killed and started again";
    const cli::Ran verified = cli::run({"audit", "verify", "--server", server.url()});
    EXPECT_EQ(verified.code, 0) << verified.err;
}

TEST(AuditLog, AttackersFillABoundedNumberOfRows) {
    SystemClock clock;
    auto store = *open_store("memory:", {.clock = &clock});
    {
        http::AuditLog log(*store, clock, {.node = "a", .gather_for = 1h, .kinds = 4});
        for (int i = 0; i < 1'000; ++i)
            log.gather({.action = "failSignIn", .status = 401, .address = std::to_string(i)});
    }
    const auto page = store->ask(AuditQuery{});
    ASSERT_EQ(page->items.size(), 5u);
    std::uint32_t times = 0;
    for (const AuditRow& row : page->items) times += row.count;
    EXPECT_EQ(times, 1'000u) << "none is lost";
}

}  // namespace
}  // namespace holdfast::testing
