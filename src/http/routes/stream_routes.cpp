// GET /api/v1/stream: what happens, as it happens
#include "http/api.h"
#include "http/input/check_request.h"

namespace holdfast::http {
namespace {

Result<std::vector<RecordKind>> read_kinds(const Request& request) {
    std::vector<RecordKind> kinds;
    const auto given = request.query_value("kind");
    for (std::string_view rest = given.value_or(""); !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const auto kind = parse_record_kind(rest.substr(0, comma));
        if (!kind)
            return fail(ErrorCode::invalid_argument,
                        "kind must be workflow, incident, task, deadLetter or deadEvent, or "
                        "several of them with commas");
        kinds.push_back(*kind);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return kinds;
}

// What the client had: `Last-Event-ID`, as browsers send it when they connect again, is newer than
// the `after` of the address.
Result<std::optional<StreamPosition>> read_position(const Request& request) {
    auto text = request.headers.find("Last-Event-ID");
    if (!text || text->empty()) text = request.query_value("after");
    if (!text) return std::nullopt;
    const auto position = parse_stream_position(*text);
    if (!position)
        return fail(ErrorCode::invalid_argument,
                    "Last-Event-ID and after must be the id of an event of this stream");
    return position;
}

Result<StreamFilter> read_filter(const Request& request) {
    StreamFilter filter{.tenant = request.caller.tenant};
    const auto text = [&](std::string_view name) -> std::optional<std::string> {
        const auto value = request.query_value(name);
        return value ? std::optional(std::string(*value)) : std::nullopt;
    };
    filter.definition = text("definition");
    filter.business_key = text("businessKey");
    if (const auto workflow = request.query_value("workflow")) {
        filter.workflow = parse_id<InstanceId>(*workflow);
        if (!filter.workflow)
            return fail(ErrorCode::invalid_argument, "workflow must be a workflow id (a UUID)");
    }
    HF_TRY(filter.kinds, read_kinds(request));
    return filter;
}

void get_stream(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto filter, read_filter(request));
        HF_TRY(const auto position, read_position(request));
        if (request.identity.kind == CredentialKind::api_key ||
            request.identity.kind == CredentialKind::session) {
            filter.keys = &api.keys;
            filter.key = request.identity.credential;
        }
        filter.share = api.shares.take(request.identity, Share::stream);
        if (!filter.share) {
            later(no_share(api.shares, Share::stream));
            return {};
        }
        api.streams.start(std::move(filter), position, std::move(later));
        return {};
    });
}

Description stream_description() {
    Description description("followChanges", readers.within(Within::filter),
                            "Tells what happens, as it happens.");
    description.headers.push_back(
        {"Last-Event-ID", Presence::optional,
         "The `id` of the last event that the client has: the stream goes on behind it."});
    return description
        .query({"after",
                "The same as `Last-Event-ID`, for clients that cannot send headers. "
                "Without both: what happens from now on."})
        .query({"definition", "Only of workflows of this definition."})
        .query({"businessKey", "Only of workflows with this business key."})
        .query({"workflow", "Only of this workflow.", AnyText{"uuid"}})
        .query({"kind",
                "`workflow`, `incident`, `task`, `deadLetter` or `deadEvent`, or several "
                "of them with commas; all if absent."})
        .answer_as(200, "Events without end.", "text/event-stream", {"X-Accel-Buffering"})
        .problems({"position-gone", "too-many-open"});
}

}  // namespace

void add_stream_routes(Router& router, Api& api) {
    add_route(router, api, Method::get, "/api/v1/stream", get_stream, stream_description());
}

}  // namespace holdfast::http
