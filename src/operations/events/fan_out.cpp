#include "operations/events/fan_out.h"

#include <boost/json.hpp>

#include "model/codec/member_reader.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

using To = decltype(SignalChanges::FanOut::to);

void send(View& view, To to, SignalType type, bj::object payload, const Cause& cause) {
    auto envelope = encode_parts(
        {.type = type, .occurred_at = view.now(), .payload = Document::of(std::move(payload))});
    HF_ASSERT(envelope.has_value(), "a large value is not in the envelope");
    view.signals().fan_out({.to = std::move(to),
                            .type = type,
                            .envelope = *std::move(envelope),
                            .operation = cause.operation,
                            .at = view.now()});
}

}  // namespace

void send_by_signals(View& view, const Event& event, const Cause& cause,
                     const std::optional<InstanceId>& except) {
    bj::object payload{{"event", to_string(event.id)},
                       {"name", event.name},
                       {"correlationKey", event.correlation},
                       {"fanOut", "all"}};
    if (except) payload["except"] = to_string(*except);
    if (is_shared(event.value)) {
        view.share(event.value);
        payload["valueSha256"] = to_hex(event.value.checksum());
    } else {
        payload["value"] = event.value.value();
    }
    send(view, SignalChanges::Awaiting{event.channel()}, SignalType::external_signal,
         std::move(payload), cause);
}

void tell_end_by_signals(View& view, const InstanceId& ended, const Cause& cause) {
    send(view, SignalChanges::AwaitingEnd{ended}, SignalType::sub_workflow_completed,
         {{"workflow", to_string(ended)}}, cause);
}

void cancel_children_by_signals(View& view, const InstanceId& parent, const std::string& reason,
                                const Cause& cause) {
    send(view, SignalChanges::ChildrenOf{parent}, SignalType::external_signal, {{"cancel", reason}},
         cause);
}

bool is_fanned_out(const Envelope& envelope) {
    const bj::value payload = envelope.payload.value();
    return MemberReader(payload).has("fanOut");
}

std::optional<Result<FannedOutEvent>> fanned_out_event_in(const View& view,
                                                          const Envelope& envelope) {
    const bj::value payload = envelope.payload.value();
    MemberReader reader(payload);
    if (!reader.has("fanOut")) return std::nullopt;
    FannedOutEvent sent;
    sent.event = {.id = reader.id<EventId>("event"),
                  .name = reader.text("name"),
                  .accepted_at = view.now(),
                  .correlation = reader.text("correlationKey")};
    if (reader.has("except")) sent.except = reader.id<InstanceId>("except");
    if (!reader.has("valueSha256")) {
        sent.event.value = reader.document("value");
        return reader.give(std::move(sent));
    }
    const auto digest = parse_digest(reader.text("valueSha256"));
    if (!digest) reader.blame("valueSha256");
    const auto value = digest ? view.shared_value(*digest) : std::nullopt;
    if (!value) return fail(ErrorCode::corrupt, "its value was deleted");
    sent.event.value = *value;
    return reader.give(std::move(sent));
}

std::optional<std::string> cancel_reason_in(const Envelope& envelope) {
    const bj::value payload = envelope.payload.value();
    MemberReader reader(payload);
    if (!reader.has("cancel")) return std::nullopt;
    return reader.text("cancel");
}

}  // namespace holdfast::op
