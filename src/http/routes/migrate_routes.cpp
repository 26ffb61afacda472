// POST /api/v1/workflows/{id}/migrate: another version of its definition, by hand
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/etag.h"
#include "http/input/migration_input.h"
#include "http/responses/refusal_responses.h"
#include "operations/member_form.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using http::respond_to;

template <class Outcome>
bj::object report_of(const Outcome& outcome) {
    bj::object body = op::MemberForm::of(outcome.report);
    body["version"] = outcome.version;
    body["from"] = outcome.from;
    body["to"] = outcome.to;
    return body;
}

Response respond_to(const op::Migrated& done, bool) {
    bj::object body = report_of(done);
    body["migrated"] = true;
    return versioned(200, done.version, body);
}

Response respond_to(const op::CanMigrate& can, bool) {
    bj::object body = report_of(can);
    body["migrated"] = false;
    return versioned(200, can.version, body);
}

// The first problem, for who reads no members.
std::string detail_of(const MigrationReport& report) {
    const MigrationReport::Problem& first = report.problems.front();
    const std::size_t more = report.problems.size() - 1;
    return "the workflow keeps its version: " +
           (first.element.empty() ? "" : first.element + ": ") + first.why +
           (more > 0 ? "; and " + std::to_string(more) + " more problems" : "");
}

Response respond_to(const op::CannotMigrate& cannot, bool dry_run) {
    bj::object body = report_of(cannot);
    body["migrated"] = false;
    if (dry_run) return versioned(200, cannot.version, body);
    return problem(422, "not-migrated", "Not migrated", detail_of(cannot.report),
                   {{"problems", body.at("problems")}, {"currentVersion", cannot.version}});
}

Response respond_to(const auto& refusal, bool) { return respond_to(refusal); }

Result<op::Migrate> read_migrate(const Request& request, IdSource& ids) {
    op::Migrate migrate;
    HF_TRY(migrate.instance, read_instance_id(request));
    HF_TRY(const auto match, parse_if_match(request.headers, Presence::optional));
    if (match) migrate.expected = match->version;
    HF_TRY(const auto body, read_object(request, {"to", "mapping", "reason", "dryRun"}));
    HF_CHECK(read_migration(body, migrate));
    HF_TRY(const auto dry_run, read_flag(body, "dryRun"));
    migrate.dry_run = dry_run.value_or(false);
    HF_TRY(migrate.cause, read_cause(request, ids));
    if (!migrate.dry_run) {
        HF_TRY(migrate.client_key, read_client_key(request));
    }
    return migrate;
}

void migrate(Api& api, Request request, Respond respond) {
    auto op = read_migrate(request, api.ids);
    const bool dry_run = op && op->dry_run;
    submit(api, std::move(op), std::move(respond),
           [dry_run](const auto& one) { return respond_to(one, dry_run); });
}

}  // namespace

void add_migrate_routes(Router& router, Api& api) {
    add_route(
        router, api, Method::post, "/api/v1/workflows/{id}/migrate", migrate,
        Description("migrateWorkflow", operators.within(Within::workflow),
                    "Takes a workflow over to another version of its definition.")
            .if_match(Presence::optional)
            .repeatable()
            .body("MigrateRequest")
            .answer(200, "It has that version now, or `dryRun` says what would become of it.",
                    "Migration", {"ETag"})
            .problems({"not-found", "stale-version", "ended", "quarantined", "not-migrated"}));
}

}  // namespace holdfast::http
