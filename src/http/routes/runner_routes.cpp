// PUT and GET /api/v1/workflows/{id}/steps/{index}, POST .../complete, .../fail, .../continue-as
// (001.20)
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/input.h"
#include "http/input/runner_input.h"
#include "http/responses/refusal_responses.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using http::respond_to;

Response respond_to(const op::AlreadyRecorded& recorded) {
    return json_response(200, bj::object{{"outcome", "alreadyRecorded"},
                                         {"index", recorded.step.index},
                                         {"step", to_json(JournalEntry{recorded.step, {}})}});
}

Response respond_to(const op::Finished& finished) {
    return versioned(200, finished.version,
                     {{"version", finished.version}, {"status", name_of(Status::succeeded)}});
}

Response respond_to(const op::Failed& failed) {
    return versioned(200, failed.version,
                     {{"version", failed.version}, {"status", name_of(Status::failed)}});
}

Response respond_to(const op::Continued& continued) {
    return versioned(200, continued.version,
                     {{"version", continued.version},
                      {"run", continued.run.run},
                      {"index", continued.run.index}});
}

bj::object identity(const std::string& name, const std::optional<Digest>& input_hash) {
    bj::object object{{"name", name}};
    object["inputHash"] = input_hash ? bj::value(to_hex(*input_hash)) : bj::value(nullptr);
    return object;
}

Result<void> read_result(const bj::object& body, op::RecordStep& record) {
    if (body.contains("value") == body.contains("error"))
        return fail(ErrorCode::invalid_argument,
                    "send the step's result as either 'value' or 'error'");
    record.result = body.contains("value") ? StepResult::value : StepResult::error;
    record.value = read_value(body, record.result == StepResult::value ? "value" : "error");
    return {};
}

Result<op::RecordStep> read_record(const Request& request, IdSource& ids) {
    op::RecordStep record;
    HF_TRY(record.instance, read_instance_id(request));
    HF_TRY(record.run.index, read_number(request.param("index"), "the index of a step"));
    HF_TRY(auto body,
           read_object(request, {"run", "name", "inputHash", "value", "error", "lease"}));
    HF_TRY(record.run.run, read_run_number(body));
    HF_TRY(record.run.lease, read_lease(body));
    HF_TRY(auto name, read_text(body, "name"));
    HF_TRY(record.step_name, read_label(name.value_or(""), "'name'"));
    HF_TRY(auto hash, read_text(body, "inputHash"));
    const auto digest = parse_digest(hash.value_or(""));
    if (!digest)
        return fail(ErrorCode::invalid_argument,
                    "'inputHash' must be 64 hex digits: the SHA-256 of the step's input");
    record.input_hash = *digest;
    HF_CHECK(read_result(body, record));
    HF_TRY(record.cause, read_cause(request, ids));
    return record;
}

// The runner's program changed and no longer matches the journal.
Response diverged(const Step& expected, const bj::object& found) {
    return problem(409, "diverged", "Diverged",
                   "the journal has another step at this index, so the runner's program has "
                   "changed since; the workflow is unchanged",
                   {{"index", expected.index},
                    {"expected", identity(expected.name, expected.input_hash)},
                    {"found", found}});
}

Response recorded(const InstanceId& id, std::uint64_t index, Version version) {
    Response response =
        versioned(201, version, {{"outcome", "recorded"}, {"index", index}, {"version", version}});
    response.headers.add("Location",
                         "/api/v1/workflows/" + to_string(id) + "/steps/" + std::to_string(index));
    return response;
}

void put_step(Api& api, Request request, Respond respond) {
    auto record = read_record(request, api.ids);
    if (!record) return respond(problem(record.error()));
    const auto answer = [id = record->instance, index = record->run.index,
                         found = identity(record->step_name, record->input_hash)](const auto& one) {
        using Outcome = std::decay_t<decltype(one)>;
        if constexpr (std::same_as<Outcome, op::Recorded>)
            return recorded(id, index, one.version);
        else if constexpr (std::same_as<Outcome, op::Diverged>)
            return diverged(one.step, found);
        else
            return respond_to(one);
    };
    submit(api, std::move(record), std::move(respond), answer);
}

Response shown_step(const TenantReads& reads, const InstanceId& id, std::uint64_t index) {
    const auto entry = reads.ask(FindJournalEntry{id, index});
    if (!entry) return problem(entry.error());
    if (*entry) return json_response(200, to_json(**entry));
    const auto instance = reads.ask(FindInstance{id, Depth::row});
    if (!instance) return problem(instance.error());
    if (!*instance) return respond_to(op::NotFound{});
    return problem(404, "no-such-step", "Not found", "the current run has no step at this index");
}

void get_step(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto id, read_instance_id(request));
        HF_TRY(auto index, read_number(request.param("index"), "the index of a step"));
        read_on_worker(api, std::move(later), [reads = reads_of(api, request), id, index] {
            return shown_step(reads, id, index);
        });
        return {};
    });
}

// The part that complete, fail and continue-as share; they read their own members from `body`.
template <class Op>
Result<Op> read_ending(const Request& request, IdSource& ids,
                       std::initializer_list<std::string_view> known, bj::object& body) {
    Op op;
    HF_TRY(op.instance, read_instance_id(request));
    HF_TRY(body, read_object(request, known));
    HF_TRY(op.run, read_run(body));
    HF_TRY(op.cause, read_cause(request, ids));
    return op;
}

Result<op::Finish> read_complete(const Request& request, IdSource& ids) {
    bj::object body;
    HF_TRY(auto finish,
           read_ending<op::Finish>(request, ids, {"run", "index", "result", "lease"}, body));
    finish.result = read_value(body, "result");
    return finish;
}

Result<op::Fail> read_fail(const Request& request, IdSource& ids) {
    bj::object body;
    HF_TRY(auto failing,
           read_ending<op::Fail>(request, ids, {"run", "index", "code", "error", "lease"}, body));
    HF_TRY(auto code, read_text(body, "code"));
    HF_TRY(failing.code, read_name(code.value_or("failed"), "'code'"));
    failing.error = read_value(body, "error");
    return failing;
}

Result<op::ContinueAs> read_continue(const Request& request, IdSource& ids) {
    bj::object body;
    HF_TRY(auto next,
           read_ending<op::ContinueAs>(request, ids, {"run", "index", "arguments", "lease"}, body));
    next.arguments = read_value(body, "arguments");
    return next;
}

template <auto read>
void end_run(Api& api, Request request, Respond respond) {
    submit(api, read(request, api.ids), std::move(respond),
           [](const auto& one) { return respond_to(one); });
}

}  // namespace

namespace {

Description run_end_description(const char* id, const char* summary, const char* body,
                                const char* answer) {
    return Description(id, runners.within(Within::workflow), summary)
        .body(body)
        .answer(200, "The run has ended.", answer, {"ETag"})
        .problems({"not-found", "overtaken", "ended", "quarantined"});
}

}  // namespace

void add_runner_routes(Router& router, Api& api) {
    const std::string base = "/api/v1/workflows/{id}";
    add_route(
        router, api, Method::put, base + "/steps/{index}", put_step,
        Description("recordStep", runners.within(Within::workflow), "Records the result of a step.")
            .body("StepRequest")
            .answer(201, "It is recorded.", "RecordedStep", {"ETag", "Location"})
            .answer(200, "It was recorded before.", "KnownStep")
            .problems({"not-found", "overtaken", "diverged", "ended", "quarantined"}));
    add_route(router, api, Method::get, base + "/steps/{index}", get_step,
              Description("getStep", run_readers.within(Within::workflow),
                          "Shows a step of the current run.")
                  .answer(200, "The step.", "Step")
                  .problems({"not-found", "no-such-step"}));
    add_route(router, api, Method::post, base + "/complete", end_run<read_complete>,
              run_end_description("completeWorkflow", "Ends a workflow with its result.",
                                  "CompleteRequest", "EndedRun"));
    add_route(router, api, Method::post, base + "/fail", end_run<read_fail>,
              run_end_description("failWorkflow", "Ends a workflow with an error.", "FailRequest",
                                  "EndedRun"));
    add_route(router, api, Method::post, base + "/continue-as", end_run<read_continue>,
              run_end_description("continueWorkflow", "Ends the run and begins the next one.",
                                  "ContinueRequest", "NextRun"));
}

}  // namespace holdfast::http
