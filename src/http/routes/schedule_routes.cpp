// GET /api/v1/schedules, PUT, GET and DELETE /api/v1/schedules/{name}, POST .../pause, .../resume,
// .../trigger, .../backfill and .../clear-queue
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/etag.h"
#include "http/input/input.h"
#include "http/responses/refusal_responses.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using http::respond_to;

std::string_view schedule_status(const Instance& instance) {
    if (!is_open(instance.status)) return "ended";
    return instance.paused ? "paused" : "active";
}

// Its state may be unreadable: then it has an incident, and shows what it can.
bj::object schedule_json(const Instance& instance, std::size_t upcoming) {
    const auto stored = schedule::read_schedule(instance);
    const schedule::Progress progress = stored ? stored->progress : schedule::Progress{};
    const bj::object known = to_json(progress);
    bj::object object{{"name", instance.business.key},
                      {"id", to_string(instance.id)},
                      {"version", instance.version},
                      {"status", schedule_status(instance)},
                      {"incident", instance.incident},
                      {"spec", stored ? stored->spec_text : bj::value(bj::object{})},
                      {"next", nullptr},
                      {"upcoming", bj::array{}},
                      {"fired", progress.fired},
                      {"skipped", progress.skipped},
                      {"missed", progress.missed},
                      {"running", known.at("running")},
                      {"queued", progress.queue.size()},
                      {"backfills", known.at("backfills")},
                      {"recent", known.at("recent")},
                      {"createdAt", to_iso8601(instance.created_at)},
                      {"by", nullptr}};
    if (!instance.started_by.empty()) object["by"] = instance.started_by;
    bj::array times;
    if (stored)
        for (const schedule::Upcoming& one : schedule::upcoming(instance, *stored, upcoming))
            times.push_back(bj::object{{"due", to_iso8601(one.due)}, {"at", to_iso8601(one.at)}});
    if (!times.empty()) object["next"] = times.front().at("due");
    object["upcoming"] = std::move(times);
    return object;
}

constexpr std::size_t shown_upcoming = 5;

Response schedule_response(int status, const Instance& instance) {
    return versioned(status, instance.version, schedule_json(instance, shown_upcoming));
}

Response no_such_schedule(const std::string& name) {
    return problem(404, "no-such-schedule", "Not found",
                   "there is no schedule '" + name + "'; 'holdfast schedules list' shows all");
}

Response respond_to(const op::SchedulePut& put) {
    Response response = schedule_response(put.created ? 201 : 200, put.instance);
    if (put.created)
        response.headers.add("Location", "/api/v1/schedules/" + put.instance.business.key);
    return response;
}
Response respond_to(const op::ScheduleExists& exists) {
    return problem(409, "schedule-exists", "The name is taken",
                   "a schedule of this name exists; without onlyNew the request changes it",
                   {{"currentVersion", exists.version}});
}
Response respond_to(const op::ScheduleDirected& directed) {
    return schedule_response(200, directed.instance);
}
Response respond_to(const op::ScheduleRefused& refused) {
    return problem(422, "schedule-refused", "Not done", refused.why + "; nothing was changed");
}

Response invalid_schedule(const op::InvalidState& invalid) {
    bj::array violations;
    std::string first;
    for (const SchemaViolation& one : invalid.violations) {
        if (first.empty())
            first = (one.path.empty() ? "it" : "'" + one.path.substr(1) + "'") + " " + one.message;
        violations.push_back(bj::object{{"path", one.path}, {"message", one.message}});
    }
    return problem(422, "invalid-schedule", "Invalid schedule", first,
                   {{"violations", std::move(violations)}});
}

Result<std::string> read_schedule_name(const Request& request) {
    return read_name(request.param("name"), "the name of a schedule");
}

// Sent as If-Match; absent: any version.
Result<std::optional<Version>> read_schedule_version(const Request& request) {
    HF_TRY(const auto match, parse_if_match(request.headers, Presence::optional));
    return match ? match->version : std::nullopt;
}

Result<op::PutSchedule> read_put_schedule(const Request& request, IdSource& ids) {
    op::PutSchedule put;
    HF_TRY(put.schedule, read_schedule_name(request));
    HF_TRY(const auto match, parse_if_match(request.headers, Presence::optional));
    if (match) put.expected = match->version;
    put.must_exist = match.has_value();
    put.only_new = flag_of(request, "onlyNew");
    HF_TRY(const auto body,
           read_object(request, {"cron", "timeZone", "every", "from", "until", "start", "send",
                                 "overlap", "catchUp", "jitter"}));
    put.spec = Document::of(body);
    HF_TRY(put.cause, read_cause(request, ids));
    HF_TRY(put.client_key, read_client_key(request));
    return put;
}

void put_schedule(Api& api, Request request, Respond respond) {
    submit(api, read_put_schedule(request, api.ids), std::move(respond),
           [name = request.param("name")]<class One>(const One& one) {
               if constexpr (std::same_as<One, op::InvalidState>)
                   return invalid_schedule(one);
               else if constexpr (std::same_as<One, op::NotFound>)
                   return no_such_schedule(name);
               else
                   return respond_to(one);
           });
}

Response pause_response(Version version, std::string_view paused) {
    return versioned(200, version, {{"version", version}, {"paused", paused == "paused"}});
}

// The requests of DirectSchedule and of pauses and removals end here.
template <class Op>
void submit_for(Api& api, const Request& request, Result<Op> op, Respond respond) {
    submit(
        api, std::move(op), std::move(respond),
        [name = request.param("name")]<class One>(const One& one) {
            if constexpr (std::same_as<One, op::NotFound> || std::same_as<One, op::NothingToClear>)
                return no_such_schedule(name);
            else if constexpr (std::same_as<One, op::Paused> || std::same_as<One, op::Resumed>)
                return pause_response(one.version, One::name);
            else if constexpr (std::same_as<One, op::Cleared>)
                return Response{.status = 204};
            else
                return respond_to(one);
        });
}

template <class Op>
Result<void> read_target_schedule(const Request& request, IdSource& ids, Op& op) {
    HF_TRY(const auto name, read_schedule_name(request));
    HF_TRY(op.expected, read_schedule_version(request));
    HF_TRY(op.cause, read_cause(request, ids));
    if constexpr (Keyed<Op>) {
        HF_TRY(op.client_key, read_client_key(request));
    }
    op.instance = schedule_of(op.cause.tenant(), name);
    return {};
}

Result<op::DirectSchedule> read_direct_schedule(const Request& request, IdSource& ids,
                                                bj::object asked) {
    op::DirectSchedule direct{.request = Document::of(std::move(asked))};
    HF_CHECK(read_target_schedule(request, ids, direct));
    return direct;
}

template <class Op>
Result<Op> read_change_schedule(const Request& request, IdSource& ids, const bj::object& body) {
    Op op;
    HF_CHECK(read_target_schedule(request, ids, op));
    HF_TRY(const auto reason, read_line(body, "reason"));
    op.reason = reason.value_or("");
    return op;
}

void pause_schedule(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(const auto body, read_object(request, {"reason"}, EmptyBody::allowed));
        submit_for(api, request, read_change_schedule<op::Pause>(request, api.ids, body),
                   std::move(later));
        return {};
    });
}

// As after an outage, or without what was due meanwhile: the second answers with the schedule.
void resume_schedule(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(const auto body, read_object(request, {"reason", "catchUp"}, EmptyBody::allowed));
        HF_TRY(const auto catch_up, read_flag(body, "catchUp"));
        if (catch_up.value_or(false)) {
            submit_for(api, request, read_change_schedule<op::Resume>(request, api.ids, body),
                       std::move(later));
            return {};
        }
        HF_TRY(auto direct, read_direct_schedule(request, api.ids, {{"do", "resume"}}));
        HF_TRY(const auto reason, read_line(body, "reason"));
        direct.reason = reason.value_or("");
        submit(api, Result<op::DirectSchedule>(std::move(direct)), std::move(later),
               [name = request.param("name")]<class One>(const One& one) {
                   if constexpr (std::same_as<One, op::NotFound>)
                       return no_such_schedule(name);
                   else if constexpr (std::same_as<One, op::ScheduleDirected>)
                       return pause_response(one.instance.version, op::Resumed::name);
                   else
                       return respond_to(one);
               });
        return {};
    });
}

// The members of the body go on as they are: its program reads them.
void direct_schedule(Api& api, const Request& request, Respond respond, const char* what,
                     std::initializer_list<std::string_view> known) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto asked, read_object(request, known, EmptyBody::allowed));
        asked["do"] = what;
        submit_for(api, request, read_direct_schedule(request, api.ids, std::move(asked)),
                   std::move(later));
        return {};
    });
}

void trigger_schedule(Api& api, Request request, Respond respond) {
    direct_schedule(api, request, std::move(respond), "trigger", {"overlap"});
}
void backfill_schedule(Api& api, Request request, Respond respond) {
    direct_schedule(api, request, std::move(respond), "backfill", {"from", "to", "overlap"});
}
void clear_queue(Api& api, Request request, Respond respond) {
    direct_schedule(api, request, std::move(respond), "clearQueue", {});
}

Result<op::Clear> read_remove_schedule(const Request& request, IdSource& ids) {
    op::Clear clear;
    HF_CHECK(read_target_schedule(request, ids, clear));
    return clear;
}

void remove_schedule(Api& api, Request request, Respond respond) {
    submit_for(api, request, read_remove_schedule(request, api.ids), std::move(respond));
}

void get_schedule(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto name, read_schedule_name(request));
        const std::size_t count = number_of(request, "upcoming");
        const InstanceId id = schedule_of(request.caller.tenant, name);
        read_on_worker(api, std::move(later),
                       [reads = reads_of(api, request), name = std::move(name), count, id] {
                           const auto found = reads.ask(FindInstance{id, Depth::document});
                           if (!found) return problem(found.error());
                           if (!*found) return no_such_schedule(name);
                           const Instance& instance = (*found)->instance;
                           return versioned(200, instance.version, schedule_json(instance, count));
                       });
        return {};
    });
}

void list_schedules(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        InstanceQuery query{.statuses = {Status::running, Status::suspended},
                            .definition = std::string(schedule_definition),
                            .content = PageContent::documents,
                            .limit = number_of(request, "limit")};
        if (const auto cursor = request.query_value("cursor")) {
            HF_TRY(query.cursor, read_cursor(*cursor, schedule_definition));
        }
        const std::size_t count = number_of(request, "upcoming");
        list_on_worker(api, std::move(later),
                       [reads = reads_of(api, request), query = std::move(query),
                        count](const PageBudget& budget) mutable {
                           query.budget = budget;
                           const auto page = reads.ask(query);
                           if (!page) return problem(page.error());
                           bj::array items;
                           for (const FoundInstance& found : page->items)
                               items.push_back(schedule_json(found.instance, count));
                           bj::object body{{"items", std::move(items)}, {"nextCursor", nullptr}};
                           if (page->next)
                               body["nextCursor"] = make_cursor(*page->next, schedule_definition);
                           return json_response(200, body);
                       });
        return {};
    });
}

Parameter upcoming_parameter() {
    return {"upcoming", "How many of the next due times are shown.",
            WholeNumber{0, 100, shown_upcoming}};
}

// Of what is asked of one schedule.
Description asking(const char* id, const char* summary) {
    return Description(id, operators, summary)
        .path("name", "name of the schedule")
        .if_match(Presence::optional)
        .problems({"no-such-schedule", "stale-version", "ended", "quarantined"});
}

void add_asking_routes(Router& router, Api& api) {
    const std::string base = "/api/v1/schedules";
    add_route(router, api, Method::post, base + "/{name}/pause", pause_schedule,
              asking("pauseSchedule", "Pauses a schedule.")
                  .repeatable()
                  .body("ReasonRequest", Presence::optional)
                  .answer(200, "It is paused.", "PausedState", {"ETag"}));
    add_route(router, api, Method::post, base + "/{name}/resume", resume_schedule,
              asking("resumeSchedule", "Lets a paused schedule go on.")
                  .repeatable()
                  .body("ResumeScheduleRequest", Presence::optional)
                  .answer(200, "It goes on.", "PausedState", {"ETag"})
                  .problems({"schedule-refused"}));
    add_route(router, api, Method::post, base + "/{name}/trigger", trigger_schedule,
              asking("triggerSchedule", "Fires now, also while it is paused.")
                  .repeatable()
                  .body("TriggerRequest", Presence::optional)
                  .answer(200, "It fired, or its firing is queued.", "Schedule", {"ETag"})
                  .problems({"schedule-refused"}));
    add_route(router, api, Method::post, base + "/{name}/backfill", backfill_schedule,
              asking("backfillSchedule", "Fires for due times of the past.")
                  .repeatable()
                  .body("BackfillRequest")
                  .answer(200, "It begins.", "Schedule", {"ETag"})
                  .problems({"schedule-refused"}));
    add_route(router, api, Method::post, base + "/{name}/clear-queue", clear_queue,
              asking("clearScheduleQueue", "Drops its queue and its backfills.")
                  .repeatable()
                  .body("NothingRequest", Presence::optional)
                  .answer(200, "Nothing waits any more.", "Schedule", {"ETag"})
                  .problems({"schedule-refused"}));
}

}  // namespace

void add_schedule_routes(Router& router, Api& api) {
    const std::string base = "/api/v1/schedules";
    add_route(router, api, Method::get, base, list_schedules,
              Description("listSchedules", readers, "Lists the schedules.")
                  .query(upcoming_parameter())
                  .page(50, 200)
                  .answer(200, "A page of schedules.", "SchedulePage"));
    add_route(router, api, Method::put, base + "/{name}", put_schedule,
              asking("putSchedule", "Creates a schedule, or changes it.")
                  .audited()
                  .query({"onlyNew", "Refused if there is one of this name.", Flag{}})
                  .repeatable()
                  .body("ScheduleRequest")
                  .answer(201, "A new schedule.", "Schedule", {"ETag", "Location"})
                  .answer(200, "It is changed, or was the same.", "Schedule", {"ETag"})
                  .problems({"schedule-exists", "invalid-schedule", "definition-disabled"}));
    add_route(router, api, Method::get, base + "/{name}", get_schedule,
              Description("getSchedule", readers, "Shows a schedule.")
                  .path("name", "name of the schedule")
                  .query(upcoming_parameter())
                  .answer(200, "The schedule.", "Schedule", {"ETag"})
                  .problems({"no-such-schedule"}));
    add_route(
        router, api, Method::del, base + "/{name}", remove_schedule,
        Description("removeSchedule", operators, "Removes a schedule; what it started goes on.")
            .audited()
            .path("name", "name of the schedule")
            .if_match(Presence::optional)
            .done("It is removed.")
            .problems({"no-such-schedule", "stale-version", "quarantined"}));
    add_asking_routes(router, api);
}

}  // namespace holdfast::http
