// Every operation of the engine as one type. To add one, add its file pair and list it here.
#pragma once

#include <boost/json/object.hpp>
#include <variant>

#include "operations/definitions/define.h"
#include "operations/definitions/deploy.h"
#include "operations/definitions/switch_definition.h"
#include "operations/events/cancel_event.h"
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
#include "operations/lifecycle/retry.h"
#include "operations/lifecycle/start.h"
#include "operations/lifecycle/start_child.h"
#include "operations/schedules/direct_schedule.h"
#include "operations/schedules/put_schedule.h"
#include "operations/signals/bury_signal.h"
#include "operations/signals/end_job.h"
#include "operations/signals/enqueue_signal.h"
#include "operations/signals/handle_signal.h"
#include "operations/signals/redrive_dead_letter.h"
#include "operations/signals/remove_dead_letter.h"
#include "operations/signals/report_stranded.h"
#include "operations/state/checkpoint.h"
#include "operations/state/edit_state.h"
#include "operations/state/fork.h"
#include "operations/state/migrate.h"
#include "operations/state/modify.h"
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
                 op::RedriveDeadLetter, op::RemoveDeadLetter, op::ReportStranded, op::StartChild,
                 op::SetState, op::PutOff, op::CreateTask, op::ClaimTask, op::ReleaseTask,
                 op::AssignTask, op::DelegateTask, op::CompleteTask, op::FailTask, op::CancelTask,
                 op::CancelEvent, op::Modify, op::EndJob, op::Deploy, op::SwitchDefinition,
                 op::Migrate, op::Retry, op::PutSchedule, op::DirectSchedule>;

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
template <class Op>
    requires requires { Op::name; }
std::size_t shard_hash(const Op& op) {
    if constexpr (requires { op.shard(); })
        return op.shard();
    else if constexpr (requires { op.instance(); })
        return shard_hash(op.instance());
    else
        return shard_hash(op.instance);
}

}  // namespace holdfast
