// /api/v1/dead-letters: list, show, redrive, remove (004.7)
#include <boost/json.hpp>

#include "base/ids/byte_text.h"
#include "base/json/parse.h"
#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/input.h"
#include "http/responses/refusal_responses.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using http::respond_to;

Response no_such_letter() {
    return problem(404, "no-such-dead-letter", "Not found",
                   "there is no dead letter with this id, or its workflow was cleared");
}

Response respond_to(const op::Redriven& redriven) {
    return json_response(202, bj::object{{"id", to_string(redriven.signal)},
                                         {"workflow", to_string(redriven.instance)}});
}

Response respond_to(const op::LetterRemoved&) { return {.status = 204}; }

constexpr auto answer_dead_letter = [](const auto& one) {
    if constexpr (std::is_same_v<decltype(one), const op::NotFound&>)
        return no_such_letter();
    else
        return respond_to(one);
};

// The envelope's bytes unchanged and, if they can be parsed, the envelope as JSON.
bj::object letter_json(const DeadLetter& letter) {
    const SignalRow& signal = letter.signal;
    bj::object object{
        {"id", to_string(signal.id)},   {"workflow", to_string(signal.instance)},
        {"type", name_of(signal.type)}, {"reason", name_of(letter.reason)},
        {"detail", letter.detail},      {"node", letter.node},
        {"at", to_iso8601(letter.at)},  {"enqueuedAt", to_iso8601(signal.enqueued_at)},
        {"attempts", signal.attempts},  {"bytes", to_base64url(signal.envelope)}};
    object["program"] = signal.program ? bj::value(*signal.program) : bj::value(nullptr);
    const auto envelope = json::parse(signal.envelope);
    object["envelope"] = envelope ? *envelope : bj::value(nullptr);
    return object;
}

struct LetterList {
    DeadLetterQuery query;
    std::string filters;  // the cursor is bound to these
};

Result<LetterList> read_letter_list(const Request& request) {
    LetterList list;
    if (const auto reason = request.query_value("reason")) {
        list.query.reason = parse_dead_letter_reason(*reason);
        list.filters += "reason=" + std::string(name_of(*list.query.reason)) + '\n';
    }
    if (const auto workflow = request.query_value("workflow")) {
        list.query.instance = parse_id<InstanceId>(*workflow);
        if (!list.query.instance)
            return fail(ErrorCode::invalid_argument, "workflow must be a workflow id (a UUID)");
        list.filters += "workflow=" + to_string(*list.query.instance) + '\n';
    }
    list.query.limit = number_of(request, "limit");
    if (const auto cursor = request.query_value("cursor")) {
        HF_TRY(auto position, read_cursor(*cursor, list.filters));
        list.query.after = parse_id<SignalId>(position);
        if (!list.query.after)
            return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
    }
    return list;
}

Result<SignalId> read_signal_id(const Request& request) {
    const auto id = parse_id<SignalId>(request.param("signal"));
    if (!id) return fail(ErrorCode::invalid_argument, "a dead letter id must be a UUID");
    return *id;
}

void list_letters(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto list, read_letter_list(request));
        search_on_worker(api, std::move(later),
                         [reads = reads_of(api, request),
                          list = std::move(list)](const PageBudget& budget) mutable {
                             list.query.budget = budget;
                             const auto page = reads.ask(list.query);
                             if (!page) return problem(page.error());
                             bj::array items;
                             for (const DeadLetter& letter : page->items)
                                 items.push_back(letter_json(letter));
                             bj::object body{{"items", std::move(items)}};
                             body["nextCursor"] = nullptr;
                             if (page->next)
                                 body["nextCursor"] =
                                     make_cursor(to_string(*page->next), list.filters);
                             return json_response(200, body);
                         });
        return {};
    });
}

void get_letter(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto id, read_signal_id(request));
        read_on_worker(api, std::move(later), [reads = reads_of(api, request), id] {
            const auto letter = reads.ask(FindDeadLetter{id});
            if (!letter) return problem(letter.error());
            if (!*letter) return no_such_letter();
            return json_response(200, letter_json(**letter));
        });
        return {};
    });
}

Result<op::RedriveDeadLetter> read_redrive(const Request& request, IdSource& ids) {
    op::RedriveDeadLetter redrive;
    HF_TRY(redrive.signal, read_signal_id(request));
    HF_CHECK(read_object(request, {}, EmptyBody::allowed));
    HF_TRY(redrive.client_key, read_client_key(request));
    HF_TRY(redrive.cause, read_cause(request, ids));
    return redrive;
}

void redrive_letter(Api& api, Request request, Respond respond) {
    submit(api, read_redrive(request, api.ids), std::move(respond), answer_dead_letter);
}

Result<op::RemoveDeadLetter> read_remove_dead_letter(const Request& request, IdSource& ids) {
    op::RemoveDeadLetter remove;
    HF_TRY(remove.signal, read_signal_id(request));
    HF_TRY(remove.cause, read_cause(request, ids));
    return remove;
}

void remove_letter(Api& api, Request request, Respond respond) {
    submit(api, read_remove_dead_letter(request, api.ids), std::move(respond), answer_dead_letter);
}

}  // namespace

void add_dead_letter_routes(Router& router, Api& api) {
    const std::string base = "/api/v1/dead-letters";
    add_route(router, api, Method::get, base, list_letters,
              Description("listDeadLetters", readers, "Lists signals that could not be handled.")
                  .audited()
                  .query({"reason", "Why.",
                          Choice{{"undecodable", "missingDefinition", "missingInstance",
                                  "inconsistentSnapshot", "tooManyAttempts"}}})
                  .query({"workflow", "The id of the workflow.", AnyText{"uuid"}})
                  .page(50, 500)
                  .answer(200, "A page of dead letters.", "DeadLetterPage"));
    add_route(router, api, Method::get, base + "/{signal}", get_letter,
              Description("getDeadLetter", readers, "Shows a dead letter.")
                  .audited()
                  .answer(200, "The dead letter.", "DeadLetter")
                  .problems({"no-such-dead-letter"}));
    add_route(router, api, Method::post, base + "/{signal}/redrive", redrive_letter,
              Description("redriveDeadLetter", operators, "Puts the signal into the queue again.")
                  .audited()
                  .repeatable()
                  .body("NothingRequest", Presence::optional)
                  .answer(202, "It is in the queue.", "Redriven")
                  .problems({"no-such-dead-letter", "ended"}));
    add_route(router, api, Method::del, base + "/{signal}", remove_letter,
              Description("removeDeadLetter", operators, "Deletes a dead letter.")
                  .audited()
                  .done("It is deleted.")
                  .problems({"no-such-dead-letter"}));
}

}  // namespace holdfast::http
