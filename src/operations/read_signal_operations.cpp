#include "model/codec/codec.h"
#include "operations/operation_readers.h"

namespace holdfast::op {
namespace {

// The members of operations that record a step in the journal.
template <class Op>
void read_place(MemberReader& reader, Op& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.run = read_run(reader);
    op.step_name = reader.text("name");
    op.input_hash = take(reader, "inputHash", parse_digest(reader.text("inputHash")));
}

}  // namespace

void read(MemberReader& reader, EnqueueSignal& op) {
    op.signal = reader.id<SignalId>("signal");
    op.instance = reader.id<InstanceId>("instance");
    op.type = take(reader, "type", parse_signal_type(reader.text("type")));
    op.token = reader.optional_id<TokenId>("token");
    op.payload = reader.document("payload");
    op.after = read_duration(reader, "afterMicroseconds");
}

void read(MemberReader& reader, HandleSignal& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.signal = reader.id<SignalId>("signal");
    op.lease = read_lease(reader);
}

void read(MemberReader& reader, BurySignal& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.signal = reader.id<SignalId>("signal");
    op.lease = read_lease(reader);
    op.reason = take(reader, "reason", parse_dead_letter_reason(reader.text("reason")));
    op.detail = reader.text("detail");
    op.hold = reader.flag("hold");
}

void read(MemberReader& reader, RedriveDeadLetter& op) {
    op.signal = reader.id<SignalId>("signal");
}

void read(MemberReader& reader, RemoveDeadLetter& op) { op.signal = reader.id<SignalId>("signal"); }

void read(MemberReader& reader, StartChild& op) {
    read_place(reader, op);
    op.definition = reader.text("definition");
    op.business =
        take(reader, "businessReference", business_from_json(reader.value("businessReference")));
    op.arguments = reader.document("arguments");
    op.detached = reader.flag("detached");
}

void read(MemberReader& reader, SetState& op) {
    read_place(reader, op);
    op.patch = reader.document("patch");
}

void read(MemberReader& reader, PutOff& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.run = read_run(reader);
    op.error = reader.document("error");
    op.pause = read_duration(reader, "pauseMicroseconds").value_or(std::chrono::microseconds(0));
}

}  // namespace holdfast::op
