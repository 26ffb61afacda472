#include "model/codec/codec.h"
#include "operations/operation_readers.h"

namespace holdfast::op {

void read(MemberReader& reader, Suspend& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.run = read_run(reader);
    op.wait = take(reader, "wait", wait_from_json(reader.value("wait")));
    op.after = read_duration(reader, "afterMicroseconds");
}

void read(MemberReader& reader, SendEvent& op) {
    op.event = reader.id<EventId>("event");
    op.event_name = reader.text("name");
    op.target = reader.optional_id<InstanceId>("target");
    op.value = reader.document("value");
    op.expire_after = read_duration(reader, "expireAfterMicroseconds");
    op.on_target_ended =
        take(reader, "onTargetEnded", parse_on_target_ended(reader.text("onTargetEnded")));
    op.fan_out = take(reader, "fanOut", parse_fan_out(reader.text("fanOut")));
    op.keep = reader.flag("keep") ? Keep::yes : Keep::no;
    op.queue_limit = reader.number("queueLimit");
}

void read(MemberReader& reader, FireTimer& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.token = reader.id<TokenId>("token");
}

void read(MemberReader& reader, RecordStep& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.run = read_run(reader);
    op.step_name = reader.text("name");
    op.input_hash = take(reader, "inputHash", parse_digest(reader.text("inputHash")));
    op.result = reader.has("error") ? StepResult::error : StepResult::value;
    op.value = reader.document(op.result == StepResult::error ? "error" : "value");
    op.rollback = reader.has("rollback");
    op.at = reader.optional_moment("at");
}

void read(MemberReader& reader, Finish& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.run = read_run(reader);
    op.result = reader.document("result");
}

void read(MemberReader& reader, Fail& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.run = read_run(reader);
    op.code = reader.text("code");
    op.error = reader.document("error");
    op.cancelled = reader.has("cancelled");
}

void read(MemberReader& reader, Pause& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.expected = read_expected(reader);
}

void read(MemberReader& reader, Resume& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.expected = read_expected(reader);
}

void read(MemberReader& reader, ContinueAs& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.run = read_run(reader);
    op.arguments = reader.document("arguments");
}

void read(MemberReader& reader, ReplayDeadEvent& op) {
    op.event = reader.id<EventId>("event");
    op.target = reader.optional_id<InstanceId>("target");
    op.queue_limit = reader.number("queueLimit");
}

void read(MemberReader& reader, RemoveDeadEvent& op) { op.event = reader.id<EventId>("event"); }

void read(MemberReader& reader, Recover& op) { op.instance = reader.id<InstanceId>("instance"); }

void read(MemberReader& reader, CancelTimers& op) {
    op.instance = reader.id<InstanceId>("instance");
}

}  // namespace holdfast::op
