#include "store/postgres/load/load_signals.h"

#include "store/postgres/load/decode_signals.h"

namespace holdfast::postgres {
namespace {

void take_queued(Row& row, LoadedSignals& loaded) {
    SignalRow signal = signal_row(row);
    if (const auto asked = loaded.signals.find(signal.id); asked != loaded.signals.end())
        asked->second.queued = signal;
    if (signal.type != SignalType::internal_continue) return;
    const auto asked = loaded.continuations.find(signal.instance);
    if (asked != loaded.continuations.end()) asked->second.queued = std::move(signal);
}

template <class Key>
void mark_leases(std::map<Key, KnownSignal>& signals, const std::set<NodeId>& alive) {
    for (auto& [key, known] : signals)
        known.lease_valid =
            known.queued && known.queued->leased_by && alive.contains(*known.queued->leased_by);
}

void ask_queue(Trip& trip, const ReadSet& reads, LoadedSignals& loaded) {
    Parameters parameters;
    parameters.array(reads.signals()).array(reads.continuations());
    trip.ask_rows("lock_signals", parameters, [&loaded](Row& row) { take_queued(row, loaded); });
    trip.ask("load_live_nodes", {}, [&loaded](const Rows& rows) -> Reply<void> {
        std::set<NodeId> alive;
        for (Row row : rows) alive.insert(row.id<NodeId>());
        mark_leases(loaded.signals, alive);
        mark_leases(loaded.continuations, alive);
        return {};
    });
}

}  // namespace

void ask_signals(Trip& trip, const ReadSet& reads, LoadedSignals& loaded) {
    if (reads.signals().empty() && reads.continuations().empty()) return;
    for (const SignalId& id : reads.signals()) loaded.signals[id];
    for (const InstanceId& id : reads.continuations()) loaded.continuations[id];
    const bool by_id = !reads.signals().empty();
    const Parameters ids = std::move(Parameters().array(reads.signals()));
    // In the direction in which a signal moves: it is found at least once.
    if (by_id)
        trip.ask_rows("load_scheduled_signals", ids, [&loaded](Row& row) {
            ScheduledSignal signal = scheduled_row(row);
            loaded.signals[signal.signal.id].scheduled = std::move(signal);
        });
    ask_queue(trip, reads, loaded);
    if (!by_id) return;
    trip.ask_rows("load_dead_letters", ids, [&loaded](Row& row) {
        DeadLetter letter = dead_letter_row(row);
        loaded.signals[letter.signal.id].dead = std::move(letter);
    });
    trip.ask_rows("load_processed_signals", ids,
                  [&loaded](Row& row) { loaded.signals[row.id<SignalId>()].processed = true; });
}

}  // namespace holdfast::postgres
