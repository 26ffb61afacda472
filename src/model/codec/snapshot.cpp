#include "model/codec/snapshot.h"

#include <boost/json.hpp>

#include "base/names.h"
#include "model/codec/codec.h"
#include "model/codec/member_reader.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

constexpr Named<EntryPoint> entry_points[] = {{EntryPoint::start, "start"},
                                              {EntryPoint::step, "step"},
                                              {EntryPoint::wait, "wait"},
                                              {EntryPoint::end, "end"}};

EntryPoint entry_of(const Instance& instance) {
    if (!is_open(instance.status)) return EntryPoint::end;
    if (!instance.waits.empty()) return EntryPoint::wait;
    return instance.index == 0 ? EntryPoint::start : EntryPoint::step;
}

void read_waiting(MemberReader& outer, Snapshot& snapshot) {
    MemberReader reader(outer.value("waiting"));
    const auto kind = parse_waiting_kind(reader.text("kind"));
    if (!kind) reader.blame("kind");
    snapshot.waiting = kind.value_or(WaitingKind::none);
    snapshot.token = reader.optional_id<TokenId>("token");
    snapshot.until = reader.optional_moment("untilUtc");
    if (!reader.give(true)) outer.blame("waiting");
}

void read_resume(MemberReader& outer, ResumePointer& resume) {
    MemberReader reader(outer.value("resume"));
    const auto entry = parse_entry_point(reader.text("entryPointKind"));
    if (!entry) reader.blame("entryPointKind");
    resume.entry = entry.value_or(EntryPoint::start);
    if (!reader.is_absent("taskName")) resume.task = reader.text("taskName");
    resume.next_index = reader.number("nextStepIndex");
    resume.branch_path = reader.texts("branchPath");
    if (!reader.give(true)) outer.blame("resume");
}

}  // namespace

std::string_view name_of(EntryPoint entry) { return name_in(entry_points, entry); }
std::optional<EntryPoint> parse_entry_point(std::string_view text) {
    return find_in(entry_points, text);
}

Snapshot snapshot_of(const Instance& instance) {
    const WaitSummary waiting = summary_of(instance.waits);
    Snapshot snapshot{.state = instance.state,
                      .business = instance.business,
                      .status = instance.status,
                      .waiting = waiting.kind,
                      .token = waiting.token,
                      .until = waiting.until};
    snapshot.resume.entry = entry_of(instance);
    snapshot.resume.next_index = instance.index;
    return snapshot;
}

bj::object to_json(const ResumePointer& resume) {
    bj::object object{{"entryPointKind", name_of(resume.entry)}, {"taskName", nullptr}};
    if (resume.task) object["taskName"] = *resume.task;
    object["branchPath"] = bj::array(resume.branch_path.begin(), resume.branch_path.end());
    object["nextStepIndex"] = resume.next_index;
    return object;
}

bj::object snapshot_json(const Instance& instance) {
    const Snapshot snapshot = snapshot_of(instance);
    return {{"engineSchemaVersion", engine_schema_version},
            {"workflowState", snapshot.state.value()},
            {"businessReference", to_json(snapshot.business)},
            {"status", name_of(snapshot.status)},
            {"waiting", bj::object{{"kind", name_of(snapshot.waiting)},
                                   {"token", to_json(snapshot.token)},
                                   {"untilUtc", to_json(snapshot.until)}}},
            {"resume", to_json(snapshot.resume)},
            {"subWorkflowFrames", bj::array{}},
            {"continuationBuffer", bj::array{}}};
}

Result<void> check_snapshot_version(std::uint64_t version) {
    if (version <= engine_schema_version) return {};
    return fail(ErrorCode::newer_schema, "snapshot schema " + std::to_string(version) +
                                             " is not supported: this holdfast supports up to " +
                                             std::to_string(engine_schema_version) +
                                             ", start a newer holdfast");
}

Result<Snapshot> snapshot_from_json(const bj::value& value) {
    MemberReader reader(value);
    const std::uint64_t version = reader.number("engineSchemaVersion");
    HF_CHECK(check_snapshot_version(version));
    if (version == 0) reader.blame("engineSchemaVersion");
    Snapshot snapshot;
    snapshot.state = reader.document("workflowState");
    auto business = business_from_json(reader.value("businessReference"));
    if (!business) reader.blame("businessReference");
    snapshot.business = std::move(business).value_or(BusinessReference{});
    const auto status = parse_status(reader.text("status"));
    if (!status) reader.blame("status");
    snapshot.status = status.value_or(Status::running);
    read_waiting(reader, snapshot);
    read_resume(reader, snapshot.resume);
    return reader.give(std::move(snapshot));
}

}  // namespace holdfast
