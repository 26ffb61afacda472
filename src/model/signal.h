// Signals: messages in a durable queue that make an instance progress (004.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/instance.h"

namespace holdfast {

using SignalId = Id<struct SignalTag>;
// One life of a node: a restarted process has a new id.
using NodeId = Id<struct NodeTag>;

enum class SignalType {
    task_completed,
    timer_due,
    retry_due,
    external_signal,
    sub_workflow_completed,
    internal_continue,
    job,  // work of a process for a worker (000.13)
};

std::string_view name_of(SignalType type);
std::optional<SignalType> parse_signal_type(std::string_view text);

// Signals that end a wait can be handled by any node, others only by one with the program.
constexpr bool ends_a_wait(SignalType type) {
    return type == SignalType::external_signal || type == SignalType::timer_due ||
           type == SignalType::sub_workflow_completed;
}

// Whether it waits behind the older signals of its instance. Continuations and jobs neither wait
// nor keep others waiting.
constexpr bool is_ordered(SignalType type) {
    return type != SignalType::internal_continue && type != SignalType::job;
}

// The content of a signal. Stored and passed on as the bytes that were first written (I41).
struct Envelope {
    SignalId id;
    InstanceId instance;
    SignalType type = SignalType::external_signal;
    std::optional<Version> expected_version;  // informational: the token decides (I19, I20)
    std::optional<TokenId> token;             // of the wait that it is meant for
    Moment occurred_at;
    std::optional<Moment> due_at;
    Document payload;  // any JSON value

    bool operator==(const Envelope&) const = default;
};

inline constexpr std::size_t longest_envelope = 64 * 1024;

// refused: longer than longest_envelope.
Result<std::string> encode(const Envelope& envelope);
Result<Envelope> decode_envelope(std::string_view bytes);

// The envelopes of signals that differ in their id, token and instance only.
struct EnvelopeParts {
    std::string before_id;
    std::string before_token;
    std::string before_instance;
    std::string rest;

    std::string with(const SignalId& id, const TokenId& token, const InstanceId& instance) const;
};

// refused: longer than longest_envelope.
Result<EnvelopeParts> encode_parts(Envelope envelope);

// One row of the signal queue.
struct SignalRow {
    SignalId id;
    InstanceId instance;
    SignalType type = SignalType::external_signal;
    std::optional<std::string> program;  // only nodes with this program claim it; absent: any node
    Moment enqueued_at;
    Moment visible_at;  // not claimed before
    std::optional<NodeId> leased_by;
    std::uint64_t epoch = 0;     // incremented with every lease
    std::uint32_t attempts = 0;  // leases since the last progress; counted before the work begins
    std::string envelope;        // bytes; empty: the columns have it all

    bool operator==(const SignalRow&) const = default;
};

// A signal that is not due yet.
struct ScheduledSignal {
    SignalRow signal;
    Moment due_at;

    bool operator==(const ScheduledSignal&) const = default;
};

// The right to act on a signal. A node that takes it over increments the epoch; the old lease is
// void (I29).
struct Lease {
    NodeId node;
    std::uint64_t epoch = 0;

    bool operator==(const Lease&) const = default;

    static void describe(auto& lease, auto& with) {
        with("node", lease.node);
        with("epoch", lease.epoch);
    }
};

enum class DeadLetterReason {
    undecodable,
    missing_definition,
    missing_instance,
    inconsistent_snapshot,
    too_many_attempts,
};

std::string_view name_of(DeadLetterReason reason);
std::optional<DeadLetterReason> parse_dead_letter_reason(std::string_view text);

// A signal that no node could handle, with its original bytes.
struct DeadLetter {
    SignalRow signal;
    DeadLetterReason reason = DeadLetterReason::too_many_attempts;
    std::string detail;
    std::string node;  // by name
    Moment at;
    std::string tenant = "default";  // of its instance, if there was one

    bool operator==(const DeadLetter&) const = default;
};

// Identifies a repeated signal, however late it arrives (I18).
struct ProcessedSignal {
    InstanceId instance;
    SignalId signal;
    Moment at;

    bool operator==(const ProcessedSignal&) const = default;
};

}  // namespace holdfast
