#include "operations/operation.h"

#include "base/json/canonical.h"
#include "base/json/parse.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

// Only the outcome that changed something is stored: the first alternative of each variant.
template <class Outcome>
std::optional<std::string> keep_first(const Outcome& outcome) {
    const auto* changed = std::get_if<0>(&outcome);
    if (!changed) return std::nullopt;
    return json::canonical(to_json(*changed));
}

template <class Outcome, class FromJson>
Result<Outcome> read_kept(std::string_view kept, FromJson from_json) {
    auto value = json::parse(kept, json::Limits{.depth = 1'000, .nodes = 10'000'000});
    if (!value) return std::unexpected(value.error());
    auto outcome = from_json(*value);
    if (!outcome) return std::unexpected(outcome.error());
    return Outcome{*std::move(outcome)};
}

}  // namespace

bj::object to_json(const Operation& operation) {
    return std::visit([](const auto& op) { return to_json(op); }, operation);
}

bj::object to_json(const AnyOutcome& outcome) {
    return std::visit([](const auto& one) { return op::outcome_json(one); }, outcome);
}

std::optional<std::string> kept_form(const op::Start::Outcome& outcome) {
    return keep_first(outcome);
}
std::optional<std::string> kept_form(const op::Cancel::Outcome& outcome) {
    return keep_first(outcome);
}
std::optional<std::string> kept_form(const op::Checkpoint::Outcome& outcome) {
    return keep_first(outcome);
}
std::optional<std::string> kept_form(const op::Restore::Outcome& outcome) {
    return keep_first(outcome);
}
std::optional<std::string> kept_form(const op::Fork::Outcome& outcome) {
    return keep_first(outcome);
}
std::optional<std::string> kept_form(const op::Release::Outcome& outcome) {
    return keep_first(outcome);
}

std::optional<std::string> kept_form(const op::Pause::Outcome& outcome) {
    return keep_first(outcome);
}
std::optional<std::string> kept_form(const op::Resume::Outcome& outcome) {
    return keep_first(outcome);
}
std::optional<std::string> kept_form(const op::ReplayDeadEvent::Outcome& outcome) {
    if (const auto* queued = std::get_if<op::Queued>(&outcome))
        return json::canonical(op::to_json(*queued));
    return keep_first(outcome);
}

Result<op::Start::Outcome> from_kept(const op::Start&, std::string_view kept) {
    return read_kept<op::Start::Outcome>(kept, op::started_from_json);
}
Result<op::Cancel::Outcome> from_kept(const op::Cancel&, std::string_view kept) {
    return read_kept<op::Cancel::Outcome>(kept, op::cancelled_from_json);
}
Result<op::Checkpoint::Outcome> from_kept(const op::Checkpoint&, std::string_view kept) {
    return read_kept<op::Checkpoint::Outcome>(kept, op::checkpointed_from_json);
}
Result<op::Restore::Outcome> from_kept(const op::Restore&, std::string_view kept) {
    return read_kept<op::Restore::Outcome>(kept, op::restored_from_json);
}
Result<op::Fork::Outcome> from_kept(const op::Fork&, std::string_view kept) {
    return read_kept<op::Fork::Outcome>(kept, op::forked_from_json);
}
Result<op::Release::Outcome> from_kept(const op::Release&, std::string_view kept) {
    return read_kept<op::Release::Outcome>(kept, op::released_from_json);
}

Result<op::Pause::Outcome> from_kept(const op::Pause&, std::string_view kept) {
    return read_kept<op::Pause::Outcome>(kept, op::paused_from_json);
}
Result<op::Resume::Outcome> from_kept(const op::Resume&, std::string_view kept) {
    return read_kept<op::Resume::Outcome>(kept, op::resumed_from_json);
}
Result<op::ReplayDeadEvent::Outcome> from_kept(const op::ReplayDeadEvent&, std::string_view kept) {
    return read_kept<op::ReplayDeadEvent::Outcome>(kept, op::replayed_from_json);
}

std::optional<std::string> kept_form(const op::RedriveDeadLetter::Outcome& outcome) {
    return keep_first(outcome);
}
Result<op::RedriveDeadLetter::Outcome> from_kept(const op::RedriveDeadLetter&,
                                                 std::string_view kept) {
    return read_kept<op::RedriveDeadLetter::Outcome>(kept, op::redriven_from_json);
}

std::optional<std::string> kept_form(const op::CreateTask::Outcome& outcome) {
    return keep_first(outcome);
}
Result<op::CreateTask::Outcome> from_kept(const op::CreateTask&, std::string_view kept) {
    return read_kept<op::CreateTask::Outcome>(kept, op::task_created_from_json);
}
std::string kept_task(const op::TaskChanged& changed) {
    return json::canonical(op::to_json(changed));
}
Result<op::TaskChanged> task_from_kept(std::string_view kept) {
    return read_kept<op::TaskChanged>(kept, op::task_changed_from_json);
}

}  // namespace holdfast
