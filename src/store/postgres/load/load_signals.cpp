#include "store/postgres/load/load_signals.h"

#include "store/postgres/load/decode_signals.h"

namespace holdfast::postgres {
namespace {

void take_queued(Row& row, LoadedSignals& loaded) {
    SignalRow signal = signal_row(row);
    if (const auto wanted = loaded.signals.find(signal.id); wanted != loaded.signals.end())
        wanted->second.queued = signal;
    if (signal.type != SignalType::internal_continue) return;
    const auto wanted = loaded.continuations.find(signal.instance);
    if (wanted != loaded.continuations.end()) wanted->second.queued = std::move(signal);
}

template <class Key>
void mark_leases(std::map<Key, KnownSignal>& signals, const std::set<NodeId>& alive) {
    for (auto& [key, known] : signals)
        known.lease_valid =
            known.queued && known.queued->leased_by && alive.contains(*known.queued->leased_by);
}

void query_queue(Trip& trip, const ReadSet& reads, LoadedSignals& loaded) {
    Parameters parameters;
    parameters.array(reads.signals()).array(reads.continuations());
    trip.query_rows("lock_signals", parameters, [&loaded](Row& row) { take_queued(row, loaded); });
    trip.query("load_live_nodes", {}, [&loaded](const Rows& rows) -> Reply<void> {
        std::set<NodeId> alive;
        for (Row row : rows) alive.insert(row.id<NodeId>());
        mark_leases(loaded.signals, alive);
        mark_leases(loaded.continuations, alive);
        return {};
    });
}

}  // namespace

void query_signals(Trip& trip, const ReadSet& reads, LoadedSignals& loaded) {
    if (reads.signals().empty() && reads.continuations().empty()) return;
    for (const SignalId& id : reads.signals()) loaded.signals[id];
    for (const InstanceId& id : reads.continuations()) loaded.continuations[id];
    const bool by_id = !reads.signals().empty();
    const Parameters ids = std::move(Parameters().array(reads.signals()));
    // Signals move from the schedule to the queue to the dead letters. Reading the tables in this
    // order finds a moving signal at least once.
    if (by_id)
        trip.query_rows("load_scheduled_signals", ids, [&loaded](Row& row) {
            ScheduledSignal signal = scheduled_row(row);
            loaded.signals[signal.signal.id].scheduled = std::move(signal);
        });
    query_queue(trip, reads, loaded);
    if (!by_id) return;
    trip.query_rows("load_dead_letters", ids, [&loaded](Row& row) {
        DeadLetter letter = dead_letter_row(row);
        loaded.signals[letter.signal.id].dead = std::move(letter);
    });
    trip.query_rows("load_processed_signals", ids, [&loaded](Row& row) {
        const auto signal = row.id<SignalId>();
        loaded.signals[signal].processed = row.id<InstanceId>();
    });
}

}  // namespace holdfast::postgres
