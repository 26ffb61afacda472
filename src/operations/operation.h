// Every operation of the engine as one type. To add one, add its file pair and list it here.
#pragma once

#include <boost/json/object.hpp>
#include <concepts>
#include <string>
#include <string_view>
#include <variant>

#include "operations/definitions/define.h"
#include "operations/events/cancel_timers.h"
#include "operations/events/fire_timer.h"
#include "operations/events/remove_dead_event.h"
#include "operations/events/replay_dead_event.h"
#include "operations/events/send_event.h"
#include "operations/events/suspend.h"
#include "operations/lifecycle/cancel.h"
#include "operations/lifecycle/clear.h"
#include "operations/lifecycle/continue_as.h"
#include "operations/lifecycle/fail.h"
#include "operations/lifecycle/finish.h"
#include "operations/lifecycle/pause.h"
#include "operations/lifecycle/recover.h"
#include "operations/lifecycle/resume.h"
#include "operations/lifecycle/start.h"
#include "operations/lifecycle/start_child.h"
#include "operations/signals/bury_signal.h"
#include "operations/signals/enqueue_signal.h"
#include "operations/signals/handle_signal.h"
#include "operations/signals/redrive_dead_letter.h"
#include "operations/signals/remove_dead_letter.h"
#include "operations/state/checkpoint.h"
#include "operations/state/edit_state.h"
#include "operations/state/fork.h"
#include "operations/state/quarantine.h"
#include "operations/state/read.h"
#include "operations/state/release.h"
#include "operations/state/restore.h"
#include "operations/state/set_state.h"
#include "operations/state/write.h"
#include "operations/steps/put_off.h"
#include "operations/steps/record_step.h"
#include "operations/tasks/assign_task.h"
#include "operations/tasks/cancel_task.h"
#include "operations/tasks/claim_task.h"
#include "operations/tasks/complete_task.h"
#include "operations/tasks/create_task.h"
#include "operations/tasks/delegate_task.h"
#include "operations/tasks/fail_task.h"
#include "operations/tasks/release_task.h"

namespace holdfast {

using Operation =
    std::variant<op::Define, op::Start, op::EditState, op::Cancel, op::Clear, op::Checkpoint,
                 op::Restore, op::Fork, op::Write, op::Read, op::Release, op::Quarantine,
                 op::Suspend, op::SendEvent, op::FireTimer, op::RecordStep, op::Finish, op::Fail,
                 op::Pause, op::Resume, op::ContinueAs, op::ReplayDeadEvent, op::RemoveDeadEvent,
                 op::Recover, op::CancelTimers, op::EnqueueSignal, op::HandleSignal, op::BurySignal,
                 op::RedriveDeadLetter, op::RemoveDeadLetter, op::StartChild, op::SetState,
                 op::PutOff, op::CreateTask, op::ClaimTask, op::ReleaseTask, op::AssignTask,
                 op::DelegateTask, op::CompleteTask, op::FailTask, op::CancelTask>;

template <class Operations>
struct OutcomesOf;
template <class... Ops>
struct OutcomesOf<std::variant<Ops...>> {
    using Type = std::variant<typename Ops::Outcome...>;
};
using AnyOutcome = OutcomesOf<Operation>::Type;

// Operations that may carry a client key: the first outcome that changed something is stored.
template <class Op>
concept Keyed = requires(const Op& op) { op.client_key; };

boost::json::object to_json(const Operation& operation);
boost::json::object to_json(const AnyOutcome& outcome);

// Which shard an operation belongs to: all operations on one instance go to the same shard.
inline std::size_t shard_hash(const InstanceId& id) { return std::hash<InstanceId>{}(id) >> 32; }
inline std::size_t shard_hash(const op::Define& op) { return std::hash<std::string>{}(op.key); }
inline std::size_t shard_hash(const op::Start& op) { return shard_hash(op.instance()); }
inline std::size_t shard_hash(const op::Fork& op) { return shard_hash(op.source); }
inline std::size_t shard_hash(const op::Write& op) { return shard_hash(op.instance.id); }
inline std::size_t shard_hash(const op::SendEvent& op) {
    return op.target ? shard_hash(*op.target) : std::hash<std::string>{}(op.event_name);
}
// Sharded by the event, not by the target: two replays of one dead event run in order.
inline std::size_t shard_hash(const EventId& id) { return std::hash<EventId>{}(id) >> 32; }
inline std::size_t shard_hash(const op::ReplayDeadEvent& op) { return shard_hash(op.event); }
inline std::size_t shard_hash(const op::RemoveDeadEvent& op) { return shard_hash(op.event); }
inline std::size_t shard_hash(const SignalId& id) { return std::hash<SignalId>{}(id) >> 32; }
inline std::size_t shard_hash(const op::RedriveDeadLetter& op) { return shard_hash(op.signal); }
inline std::size_t shard_hash(const op::RemoveDeadLetter& op) { return shard_hash(op.signal); }
template <class Op>
std::size_t shard_hash(const Op& op) {
    return shard_hash(op.instance);
}

// The JSON of an outcome, stored for repeats with the same client key; absent: a refusal, which is
// not stored.
std::optional<std::string> kept_form(const op::Start::Outcome& outcome);
std::optional<std::string> kept_form(const op::Cancel::Outcome& outcome);
std::optional<std::string> kept_form(const op::Checkpoint::Outcome& outcome);
std::optional<std::string> kept_form(const op::Restore::Outcome& outcome);
std::optional<std::string> kept_form(const op::Fork::Outcome& outcome);
std::optional<std::string> kept_form(const op::Release::Outcome& outcome);
std::optional<std::string> kept_form(const op::Pause::Outcome& outcome);
std::optional<std::string> kept_form(const op::Resume::Outcome& outcome);
std::optional<std::string> kept_form(const op::ReplayDeadEvent::Outcome& outcome);
std::optional<std::string> kept_form(const op::RedriveDeadLetter::Outcome& outcome);
std::optional<std::string> kept_form(const op::CreateTask::Outcome& outcome);

// The outcome from its stored JSON.
Result<op::Start::Outcome> from_kept(const op::Start&, std::string_view kept);
Result<op::Cancel::Outcome> from_kept(const op::Cancel&, std::string_view kept);
Result<op::Checkpoint::Outcome> from_kept(const op::Checkpoint&, std::string_view kept);
Result<op::Restore::Outcome> from_kept(const op::Restore&, std::string_view kept);
Result<op::Fork::Outcome> from_kept(const op::Fork&, std::string_view kept);
Result<op::Release::Outcome> from_kept(const op::Release&, std::string_view kept);
Result<op::Pause::Outcome> from_kept(const op::Pause&, std::string_view kept);
Result<op::Resume::Outcome> from_kept(const op::Resume&, std::string_view kept);
Result<op::ReplayDeadEvent::Outcome> from_kept(const op::ReplayDeadEvent&, std::string_view kept);
Result<op::RedriveDeadLetter::Outcome> from_kept(const op::RedriveDeadLetter&,
                                                 std::string_view kept);
Result<op::CreateTask::Outcome> from_kept(const op::CreateTask&, std::string_view kept);

// Operations that change a task store the task as they left it.
std::string kept_task(const op::TaskChanged& changed);
Result<op::TaskChanged> task_from_kept(std::string_view kept);
template <class... Refusals>
std::optional<std::string> kept_form(const std::variant<op::TaskChanged, Refusals...>& outcome) {
    const auto* changed = std::get_if<op::TaskChanged>(&outcome);
    return changed ? std::optional(kept_task(*changed)) : std::nullopt;
}
template <class Op>
    requires std::same_as<std::variant_alternative_t<0, typename Op::Outcome>, op::TaskChanged>
Result<typename Op::Outcome> from_kept(const Op&, std::string_view kept) {
    auto changed = task_from_kept(kept);
    if (!changed) return std::unexpected(changed.error());
    return typename Op::Outcome{*std::move(changed)};
}

}  // namespace holdfast
