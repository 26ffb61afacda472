#include "model/codec/codec.h"
#include "operations/operation_readers.h"

namespace holdfast::op {
namespace {

// The members that every change of a task has.
template <class Op>
void read_change(MemberReader& reader, Op& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.task = reader.id<TaskId>("task");
    op.user = reader.text("user");
    op.expected = read_expected(reader);
}

}  // namespace

void read(MemberReader& reader, CreateTask& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.run = read_run(reader);
    op.step_name = reader.text("name");
    op.input_hash = take(reader, "inputHash", parse_digest(reader.text("inputHash")));
    op.spec = take(reader, "task", task_spec_from_json(reader.value("task")));
}

void read(MemberReader& reader, ClaimTask& op) {
    read_change(reader, op);
    op.groups = reader.texts("groups");
}

void read(MemberReader& reader, ReleaseTask& op) { read_change(reader, op); }

void read(MemberReader& reader, AssignTask& op) {
    read_change(reader, op);
    if (!reader.is_absent("assignee")) op.assignee = reader.text("assignee");
}

void read(MemberReader& reader, DelegateTask& op) {
    read_change(reader, op);
    op.to = reader.text("to");
}

void read(MemberReader& reader, CompleteTask& op) {
    read_change(reader, op);
    op.outputs = reader.document("outputs");
}

void read(MemberReader& reader, FailTask& op) {
    read_change(reader, op);
    op.error = reader.document("error");
}

void read(MemberReader& reader, CancelTask& op) { read_change(reader, op); }

}  // namespace holdfast::op
