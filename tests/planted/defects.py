"""The planted defects: what plant.py changes in copies of the shipped files.

Each is a name, a file below src, the shipped text and the text that takes its place, which asks for
defect("NAME"). The shipped text must occur exactly once, so that a control cannot fade: a change of the shipped
file that touches it fails the build until the entry is brought up to date. One name may have several entries."""
import collections

Defect = collections.namedtuple("Defect", "name file shipped planted")

DEFECTS = (
    Defect("answer_before_commit", "round/shard.cpp",
           "    answer(end.operations);\n",
           '    if (!defect("answer_before_commit")) answer(end.operations);\n'),
    Defect("answer_before_commit", "round/shard.cpp",
           "        conflicts_ = view.conflicts();\n    });\n",
           "        conflicts_ = view.conflicts();\n"
           '        if (defect("answer_before_commit")) answer(operations);\n    });\n'),
    Defect("lost_commit_is_repeated", "round/shard.cpp",
           "if (*status == CommitStatus::never) continue;",
           'if (*status == CommitStatus::never || defect("lost_commit_is_repeated")) continue;'),
    # A round on residents that writes nothing is not compared with anything.
    Defect("refusal_from_a_resident", "store/recall.cpp",
           "    return std::ranges::all_of(reads.instances(),\n",
           '    if (defect("refusal_from_a_resident")) return true;\n'
           "    return std::ranges::all_of(reads.instances(),\n"),
    Defect("awaited_resident_ends", "store/recall.cpp",
           "        recalled_.expected.unawaited = reads_.completions();\n",
           '        if (!defect("awaited_resident_ends"))\n'
           "            recalled_.expected.unawaited = reads_.completions();\n"),
    Defect("lease_of_a_resident_believed", "store/recall.cpp",
           "        kept.lease_valid = true;\n",
           "        kept.lease_valid = true;\n"
           '        if (defect("lease_of_a_resident_believed")) return;\n'),
    Defect("fold_out_of_order", "round/shard.cpp",
           "    for (std::size_t i = 0; i < operations.size(); ++i) {\n"
           "        if (held.contains",
           "    for (std::size_t place = 0; place < operations.size(); ++place) {\n"
           "        const std::size_t i =\n"
           '            defect("fold_out_of_order") ? operations.size() - 1 - place : place;\n'
           "        if (held.contains"),
    Defect("changes_left_behind", "round/shard.cpp",
           "        view.roll_back();\n",
           '        if (!defect("changes_left_behind")) view.roll_back();\n'),
    Defect("lease_not_compared", "operations/run.cpp",
           "    return continuation->queued->leased_by != run.lease->node ||",
           '    if (defect("lease_not_compared")) return false;\n'
           "    return continuation->queued->leased_by != run.lease->node ||"),
    Defect("timer_without_token", "operations/events/fire_timer.cpp",
           "    const Waiting* waiting = find_wait(waits, op.token);\n",
           '    if (defect("timer_without_token") && !waits.empty()) {\n'
           "        Waiting any = waits.front();\n"
           "        any.wait.until = view.now();\n"
           "        return Fired{deliver_timer(view, op.instance, any, op.cause).index, {}, {}};\n"
           "    }\n"
           "    const Waiting* waiting = find_wait(waits, op.token);\n"),
    Defect("reaction_applied_twice", "operations/events/react.cpp",
           "    return apply(view, id, program.react(*view.find(id), stimulus, view.now()), cause);\n",
           '    if (defect("reaction_applied_twice") && program.run_by() == RunBy::rounds)\n'
           "        apply(view, id, program.react(*view.find(id), stimulus, view.now()), cause);\n"
           "    return apply(view, id, program.react(*view.find(id), stimulus, view.now()), cause);\n"),
    Defect("another_wait_ended", "operations/events/deliver.cpp",
           "        take_wait(view.edit(to), waiting.token);\n",
           "        Instance& instance = view.edit(to);\n"
           '        const bool wrong = defect("another_wait_ended") && !instance.waits.empty();\n'
           "        take_wait(instance, wrong ? instance.waits.front().token : waiting.token);\n"),
    # Only the id that was sent last is remembered.
    Defect("dedupe_by_last_id", "operations/events/send_event.cpp",
           "    if (known.empty()) return std::nullopt;\n",
           "    if (known.empty()) return std::nullopt;\n"
           "    static EventId last;\n"
           '    if (defect("dedupe_by_last_id") && std::exchange(last, op.event) != op.event)\n'
           "        return std::nullopt;\n"),
    Defect("stale_token_accepted", "operations/signals/handle_signal.cpp",
           "    return envelope.token ? find_wait(waits, *envelope.token) : nullptr;\n",
           '    if (defect("stale_token_accepted")) return due_first(waits);\n'
           "    return envelope.token ? find_wait(waits, *envelope.token) : nullptr;\n"),
    Defect("run_not_fenced", "operations/steps/record_step.cpp",
           "    if (run.run != instance.run || run.index",
           '    if ((run.run != instance.run && !defect("run_not_fenced")) || run.index'),
    Defect("edit_ignores_version", "operations/state/edit_state.cpp",
           "*op_.expected != instance_.version;\n",
           '*op_.expected != instance_.version &&\n            !defect("edit_ignores_version");\n'),
    Defect("conflict_invents_version", "operations/refusals.cpp",
           "            .actual = instance.version,\n            .state = instance.state,\n",
           '            .actual = instance.version + (defect("conflict_invents_version") ? 1 : 0),\n'
           "            .state = instance.state,\n"),
    Defect("inbox_left_behind", "operations/lifecycle/ending.cpp",
           "    offer_to_others(view, id, cause);\n"
           "    view.mail().end_inbox(*view.find(id), ending.status, view.now());\n",
           '    if (!defect("inbox_left_behind")) {\n'
           "        offer_to_others(view, id, cause);\n"
           "        view.mail().end_inbox(*view.find(id), ending.status, view.now());\n"
           "    }\n"),
    Defect("completion_not_told", "operations/lifecycle/ending.cpp",
           "    deliver_completions(view, view.completion_waiters(id), id, cause);\n",
           '    if (defect("completion_not_told")) return version;\n'
           "    deliver_completions(view, view.completion_waiters(id), id, cause);\n"),
    Defect("processed_not_kept", "store/signals.cpp",
           "    if (!known(row.id).processed)\n",
           '    if (!known(row.id).processed && !defect("processed_not_kept"))\n'),
    Defect("buried_and_kept", "store/signals.cpp",
           "!undo_.erase(changes_.enqueued, id))",
           '!undo_.erase(changes_.enqueued, id) && !defect("buried_and_kept"))'),
    Defect("buried_and_lost", "store/signals.cpp",
           "        undo_.emplace(changes_.consumed, id);\n    undo_.assign(changes_.buried",
           "        undo_.emplace(changes_.consumed, id);\n"
           '    if (defect("buried_and_lost")) return;\n'
           "    undo_.assign(changes_.buried"),
    Defect("no_channel_lock", "store/postgres/load/channels.cpp",
           "    if (reads.channels().empty()) return;\n",
           '    if (reads.channels().empty() || defect("no_channel_lock")) return;\n'),
    Defect("expired_is_delivered", "store/mailbox.cpp",
           " || is_expired(event, now)) return false;\n",
           ') return false;\n    if (is_expired(event, now) && !defect("expired_is_delivered")) return false;\n'),
    Defect("sleep_not_seen", "store/view_changes.cpp",
           "    return !slept_.contains(change.before->id);\n",
           '    return !slept_.contains(change.before->id) || defect("sleep_not_seen");\n'),
    Defect("continuation_not_made", "store/view_changes.cpp",
           "    const Instance& instance = *change.after;\n    SignalRow row{\n",
           '    if (defect("continuation_not_made") && change.before && !change.before->waits.empty())\n'
           "        return std::nullopt;\n"
           "    const Instance& instance = *change.after;\n    SignalRow row{\n"),
    Defect("continuation_left_behind", "store/view_changes.cpp",
           "        if (had && !keeps) changes.deleted.push_back(id);\n",
           '        const bool left = defect("continuation_left_behind") && change.after;\n'
           "        if (had && !keeps && !(left && !change.after->waits.empty()))\n"
           "            changes.deleted.push_back(id);\n"),
)
