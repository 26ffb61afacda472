#include "http/input/event_input.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/ids/digest.h"
#include "base/ids/id_source.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/input.h"
#include "model/cell.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

bool has_param(const Request& request, std::string_view name) {
    return std::ranges::any_of(request.params, [&](const auto& one) { return one.first == name; });
}

// The event id derived from a client key, the same on every node and after every restart: a
// version 8 UUID from the tenant and the key, in the tenant's cell.
EventId event_of_key(const TenantKey& key) {
    const Digest digest = sha256("event\n" + key.tenant + '\n' + key.key);
    Uuid id;
    std::copy_n(digest.bytes.begin(), id.bytes.size(), id.bytes.begin());
    id.bytes[6] = static_cast<std::uint8_t>(0x80 | (id.bytes[6] & 0x0f));
    return {in_cell(id, cell_of_tenant(key.tenant))};
}

Result<EventId> read_identity(const Request& request, const bj::object& body, IdSource& ids) {
    HF_TRY(auto given, read_text(body, "id"));
    HF_TRY(auto key, read_client_key(request));
    if (given && key)
        return refuse(
            "send 'id' or Idempotency-Key, not both: either one identifies a repeated request");
    if (given) return read_event_id(*given);
    return key ? event_of_key({request.caller.tenant, key->key}) : ids.next<EventId>();
}

template <class Enum>
Result<std::optional<Enum>> read_choice(const bj::object& body, std::string_view name,
                                        std::optional<Enum> (*parse)(std::string_view),
                                        std::string_view choices) {
    HF_TRY(auto text, read_text(body, name));
    if (!text) return std::nullopt;
    const auto choice = parse(*text);
    if (!choice) return refuse("'" + std::string(name) + "' must be " + std::string(choices));
    return choice;
}

// Refuses options that contradict each other.
Result<void> check_options(const op::SendEvent& send, const bj::object& body) {
    if (!send.target && body.contains("onTargetEnded"))
        return refuse("'onTargetEnded' needs an event with a target; a broadcast has none");
    if (send.at && send.after)
        return refuse("send 'at' or 'after', not both: either one says when the event is due");
    if (send.fan_out == FanOut::one) return {};
    if (send.target)
        return refuse(
            "'fanOut' all and exactly-one need a broadcast; an event with a target goes to one "
            "workflow");
    if (send.keep == Keep::yes || send.expire_after)
        return refuse(
            "'fanOut' all and exactly-one deliver to the workflows that wait now, nothing is "
            "queued; remove "
            "'keep' and 'expireAfter'");
    return {};
}

Result<void> read_options(const bj::object& body, op::SendEvent& send) {
    HF_TRY(auto at, read_text(body, "at"));
    if (at) {
        HF_TRY(send.at, read_moment(*at, "'at'"));
    }
    HF_TRY(auto after, read_text(body, "after"));
    if (after) {
        HF_TRY(send.after, read_duration(*after, "'after'"));
    }
    HF_TRY(auto expire_after, read_text(body, "expireAfter"));
    if (expire_after) {
        HF_TRY(send.expire_after, read_duration(*expire_after, "'expireAfter'"));
    }
    HF_TRY(auto policy, read_choice(body, "onTargetEnded", parse_on_target_ended,
                                    "discard, broadcast or deadLetter"));
    send.on_target_ended = policy.value_or(OnTargetEnded::discard);
    HF_TRY(auto fan_out, read_choice(body, "fanOut", parse_fan_out, "one, all or exactly-one"));
    send.fan_out = fan_out.value_or(FanOut::one);
    HF_TRY(auto keep, read_flag(body, "keep"));
    send.keep = keep.value_or(false) ? Keep::yes : Keep::no;
    return check_options(send, body);
}

Result<std::string> read_correlation(const bj::object& body) {
    HF_TRY(auto text, read_text(body, "correlationKey"));
    if (!text || text->empty()) return std::string();
    return read_label(*text, "'correlationKey'");
}

Result<bj::object> read_body(const Request& request) {
    if (has_param(request, "name"))
        return read_object(request,
                           {"id", "correlationKey", "value", "at", "after", "expireAfter",
                            "onTargetEnded", "fanOut", "keep"},
                           EmptyBody::allowed);
    return read_object(request, {"name", "id", "correlationKey", "value", "at", "after",
                                 "expireAfter", "onTargetEnded", "fanOut", "keep"});
}

// Only the engine sends events with its own names (I51).
Result<std::string> refuse_engine_name(std::string name) {
    if (is_engine_name(name))
        return refuse(
            "event names that begin with 'task/' belong to the engine; complete the task "
            "with POST /api/v1/tasks/{task}/complete");
    return name;
}

Result<std::string> read_event_name(const Request& request, const bj::object& body) {
    if (has_param(request, "name")) {
        HF_TRY(auto name, read_label(request.param("name"), "an event's name"));
        return refuse_engine_name(std::move(name));
    }
    HF_TRY(auto text, read_text(body, "name"));
    HF_TRY(auto name, read_label(text.value_or(""), "'name'"));
    return refuse_engine_name(std::move(name));
}

}  // namespace

Result<op::SendEvent> read_send(const Request& request, IdSource& ids) {
    op::SendEvent send;
    if (has_param(request, "id")) {
        HF_TRY(send.target, read_instance_id(request));
    }
    HF_TRY(auto body, read_body(request));
    HF_TRY(send.event_name, read_event_name(request, body));
    HF_TRY(send.correlation, read_correlation(body));
    HF_TRY(send.event, read_identity(request, body, ids));
    HF_CHECK(read_options(body, send));
    send.value = read_value(body, "value");
    HF_TRY(send.cause, read_cause(request, ids));
    return send;
}

Result<EventId> read_event_id(std::string_view text) {
    const auto id = parse_id<EventId>(text);
    if (!id || *id == EventId{})
        return refuse("an event id must be a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057");
    return *id;
}

Result<EventList> read_event_list(const Request& request) {
    EventList list;
    if (const auto name = request.query_value("name")) {
        HF_TRY(list.query.name, read_label(*name, "an event's name"));
        list.filters += "name=" + *list.query.name + '\n';
    }
    if (const auto target = request.query_value("target")) {
        list.query.target = parse_id<InstanceId>(*target);
        if (!list.query.target) return refuse("target must be a workflow id (a UUID)");
        list.filters += "target=" + to_string(*list.query.target) + '\n';
    }
    list.query.limit = number_of(request, "limit");
    if (const auto cursor = request.query_value("cursor")) {
        HF_TRY(auto position, read_cursor(*cursor, list.filters));
        list.query.after = parse_id<EventId>(position);
        if (!list.query.after) return refuse("invalid cursor; repeat the query without it");
    }
    return list;
}

}  // namespace holdfast::http
