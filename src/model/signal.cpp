#include "model/signal.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "base/names.h"
#include "model/codec/member_reader.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

constexpr Named<SignalType> signal_types[] = {
    {SignalType::task_completed, "TaskCompleted"},
    {SignalType::timer_due, "TimerDue"},
    {SignalType::retry_due, "RetryDue"},
    {SignalType::external_signal, "ExternalSignal"},
    {SignalType::sub_workflow_completed, "SubWorkflowCompleted"},
    {SignalType::internal_continue, "InternalContinue"},
    {SignalType::job, "Job"}};

constexpr Named<DeadLetterReason> reasons[] = {
    {DeadLetterReason::undecodable, "undecodable"},
    {DeadLetterReason::missing_definition, "missingDefinition"},
    {DeadLetterReason::missing_instance, "missingInstance"},
    {DeadLetterReason::inconsistent_snapshot, "inconsistentSnapshot"},
    {DeadLetterReason::too_many_attempts, "tooManyAttempts"}};

constexpr std::string_view provider = "holdfast";

}  // namespace

std::string_view name_of(SignalType type) { return name_in(signal_types, type); }
std::optional<SignalType> parse_signal_type(std::string_view text) {
    return find_in(signal_types, text);
}
std::string_view name_of(DeadLetterReason reason) { return name_in(reasons, reason); }
std::optional<DeadLetterReason> parse_dead_letter_reason(std::string_view text) {
    return find_in(reasons, text);
}

Result<std::string> encode(const Envelope& envelope) {
    bj::object object{{"signalId", to_string(envelope.id)},
                      {"workflowInstanceId", to_string(envelope.instance)},
                      {"runtimeProvider", provider},
                      {"signalType", name_of(envelope.type)},
                      {"occurredAtUtc", to_iso8601(envelope.occurred_at)},
                      {"payload", envelope.payload.value()}};
    object["expectedVersion"] = nullptr;
    if (envelope.expected_version) object["expectedVersion"] = *envelope.expected_version;
    object["waitingToken"] = nullptr;
    if (envelope.token) object["waitingToken"] = to_string(*envelope.token);
    object["dueAtUtc"] = nullptr;
    if (envelope.due_at) object["dueAtUtc"] = to_iso8601(*envelope.due_at);
    std::string bytes = json::canonical(object);
    if (bytes.size() > longest_envelope)
        return fail(ErrorCode::refused,
                    "a signal is limited to 64 KiB: send a reference to the data instead");
    return bytes;
}

std::string EnvelopeParts::with(const SignalId& id, const TokenId& token,
                                const InstanceId& instance) const {
    return before_id + to_string(id) + before_token + to_string(token) + before_instance +
           to_string(instance) + rest;
}

// In canonical JSON the three members come last, in this order: whatever the payload has is before
// them.
Result<EnvelopeParts> encode_parts(Envelope envelope) {
    const std::string nil = to_string(Uuid{});
    envelope.id = {};
    envelope.token = TokenId{};
    envelope.instance = {};
    HF_TRY(std::string text, encode(envelope));
    const auto cut = [&] {
        const std::size_t at = text.rfind(nil);
        std::string after = text.substr(at + nil.size());
        text.resize(at);
        return after;
    };
    EnvelopeParts parts;
    parts.rest = cut();
    parts.before_instance = cut();
    parts.before_token = cut();
    parts.before_id = std::move(text);
    return parts;
}

Result<Envelope> decode_envelope(std::string_view bytes) {
    if (bytes.size() > longest_envelope)
        return fail(ErrorCode::corrupt, "a signal is limited to 64 KiB");
    HF_TRY(auto value, json::parse(bytes));
    MemberReader reader(value);
    Envelope envelope{.id = reader.id<SignalId>("signalId"),
                      .instance = reader.id<InstanceId>("workflowInstanceId")};
    if (reader.text("runtimeProvider") != provider) reader.blame("runtimeProvider");
    const auto type = parse_signal_type(reader.text("signalType"));
    if (!type) reader.blame("signalType");
    envelope.type = type.value_or(envelope.type);
    if (!reader.is_absent("expectedVersion"))
        envelope.expected_version = reader.number("expectedVersion");
    envelope.token = reader.optional_id<TokenId>("waitingToken");
    envelope.occurred_at = reader.moment("occurredAtUtc");
    envelope.due_at = reader.optional_moment("dueAtUtc");
    envelope.payload = reader.document("payload");
    return reader.give(std::move(envelope));
}

}  // namespace holdfast
