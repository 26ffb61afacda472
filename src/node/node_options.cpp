#include "node/node_options.h"

namespace holdfast {

EngineOptions engine_options(const NodeOptions& options) {
    EngineOptions engine{.store = options.store, .node = options.name};
    if (!options.trace_rounds.empty()) engine.trace_rounds = options.trace_rounds;
    engine.writers = options.writers;
    engine.queue = options.queue;
    engine.allow_weak_durability = options.allow_weak_durability;
    engine.pump.receive_wait = options.receive_wait;
    engine.pump.max_concurrent_handlers = options.max_concurrent_handlers;
    engine.pump.max_poison_retries = options.most_attempts;
    engine.pump.lease = options.lease;
    engine.pump.missing_program_after = options.missing_program_after;
    engine.pump.dead_letter_policy =
        options.dead_letters == DeadLetters::hold ? DeadLetterPolicy::hold : DeadLetterPolicy::move;
    engine.retention = {.keep_ended = options.keep_ended,
                        .stale_after = options.stale_after,
                        .keep_records = options.keep_records,
                        .keep_history = options.keep_history,
                        .keep_cleared = options.keep_cleared,
                        .keep_conflicts = options.keep_conflicts};
    return engine;
}

}  // namespace holdfast
