// One reader for each operation: fills it from JSON and reports the members that it cannot read.
#pragma once

#include "model/codec/member_reader.h"
#include "operations/operation.h"

namespace holdfast::op {

// The members that operations share.
Cause read_cause(MemberReader& reader);
std::optional<ClientKey> read_client_key(MemberReader& reader);
std::optional<Version> read_expected(MemberReader& reader);
Run read_run(MemberReader& reader);
Lease read_lease(MemberReader& reader);
// Absent only where the member is absent: null is a document too.
std::optional<Document> read_optional_document(MemberReader& reader, std::string_view name);
std::optional<std::chrono::microseconds> read_duration(MemberReader& reader, std::string_view name);

// Takes the parsed value, or blames the member that it came from.
template <class T>
T take(MemberReader& reader, std::string_view name, Result<T> parsed) {
    if (!parsed) reader.blame(name);
    return parsed ? *std::move(parsed) : T{};
}
template <class T>
T take(MemberReader& reader, std::string_view name, std::optional<T> parsed) {
    if (!parsed) reader.blame(name);
    return parsed ? *std::move(parsed) : T{};
}

void read(MemberReader& reader, Define& op);
void read(MemberReader& reader, Start& op);
void read(MemberReader& reader, EditState& op);
void read(MemberReader& reader, Cancel& op);
void read(MemberReader& reader, Clear& op);
void read(MemberReader& reader, Checkpoint& op);
void read(MemberReader& reader, Restore& op);
void read(MemberReader& reader, Fork& op);
void read(MemberReader& reader, Write& op);
void read(MemberReader& reader, Read& op);
void read(MemberReader& reader, Release& op);
void read(MemberReader& reader, Quarantine& op);

void read(MemberReader& reader, Suspend& op);
void read(MemberReader& reader, SendEvent& op);
void read(MemberReader& reader, FireTimer& op);
void read(MemberReader& reader, RecordStep& op);
void read(MemberReader& reader, Finish& op);
void read(MemberReader& reader, Fail& op);
void read(MemberReader& reader, Pause& op);
void read(MemberReader& reader, Resume& op);
void read(MemberReader& reader, ContinueAs& op);
void read(MemberReader& reader, ReplayDeadEvent& op);
void read(MemberReader& reader, RemoveDeadEvent& op);
void read(MemberReader& reader, Recover& op);
void read(MemberReader& reader, CancelTimers& op);

void read(MemberReader& reader, EnqueueSignal& op);
void read(MemberReader& reader, HandleSignal& op);
void read(MemberReader& reader, BurySignal& op);
void read(MemberReader& reader, RedriveDeadLetter& op);
void read(MemberReader& reader, RemoveDeadLetter& op);
void read(MemberReader& reader, StartChild& op);
void read(MemberReader& reader, SetState& op);
void read(MemberReader& reader, PutOff& op);

void read(MemberReader& reader, CreateTask& op);
void read(MemberReader& reader, ClaimTask& op);
void read(MemberReader& reader, ReleaseTask& op);
void read(MemberReader& reader, AssignTask& op);
void read(MemberReader& reader, DelegateTask& op);
void read(MemberReader& reader, CompleteTask& op);
void read(MemberReader& reader, FailTask& op);
void read(MemberReader& reader, CancelTask& op);

}  // namespace holdfast::op
