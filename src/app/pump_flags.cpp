#include "app/pump_flags.h"

#include <CLI/CLI.hpp>

#include "base/time/duration.h"

namespace holdfast::app {
namespace {

// A flag in whole seconds.
void add_seconds(CLI::App& command, const std::string& flag, const char* env,
                 std::chrono::seconds& target, const std::string& help) {
    command
        .add_option_function<std::int64_t>(
            flag, [&target](const std::int64_t& value) { target = std::chrono::seconds(value); },
            help)
        ->envname(env)
        ->check(CLI::Range(1, 3'600))
        ->default_str(std::to_string(target.count()));
}

std::string shown(std::chrono::microseconds window) {
    const auto hours = std::chrono::duration_cast<std::chrono::hours>(window).count();
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(window).count();
    if (hours == 0 && minutes > 0) return std::to_string(minutes) + "m";
    return hours == 0 ? "0" : std::to_string(hours) + "h";
}
std::string shown(const std::optional<std::chrono::microseconds>& window) {
    return window ? shown(*window) : "--keep-ended";
}

// A duration such as 90d; 0 disables it.
template <class Window>
void add_window(CLI::App& command, const std::string& flag, const char* env, Window& target,
                const std::string& help) {
    command
        .add_option_function<std::string>(
            flag,
            [&target, flag](const std::string& text) {
                const auto time = text == "0" ? std::chrono::microseconds(0) : parse_duration(text);
                if (!time)
                    throw CLI::ValidationError(
                        flag, "'" + text +
                                  "' is not a duration; use for example 90d, 12h, P30D "
                                  "or 0");
                target = *time;
            },
            help)
        ->envname(env)
        ->default_str(shown(target));
}

void add_handler_flags(CLI::App& command, PumpSettings& pump) {
    command.add_option("--pump-consumers", pump.consumers, "Threads that pass signals to handlers")
        ->envname("HOLDFAST_PUMP_CONSUMERS")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command
        .add_option("--pump-max-concurrent-handlers", pump.max_concurrent_handlers,
                    "Signals that handlers process concurrently")
        ->envname("HOLDFAST_PUMP_MAX_CONCURRENT_HANDLERS")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    command
        .add_option("--pump-max-poison-retries", pump.max_poison_retries,
                    "Attempts before a signal becomes a dead letter")
        ->envname("HOLDFAST_PUMP_MAX_POISON_RETRIES")
        ->check(CLI::Range(1, 1'000))
        ->capture_default_str();
    command
        .add_option_function<std::string>(
            "--pump-dead-letter-policy",
            [&pump](const std::string& text) {
                const auto policy = parse_dead_letter_policy(text);
                if (!policy)
                    throw CLI::ValidationError("--pump-dead-letter-policy", "must be move or hold");
                pump.dead_letter_policy = *policy;
            },
            "A signal that cannot be processed: move it to the dead letters, or hold it in the "
            "queue")
        ->envname("HOLDFAST_PUMP_DEAD_LETTER_POLICY")
        ->default_str(std::string(name_of(pump.dead_letter_policy)));
}

}  // namespace

void add_pump_flags(CLI::App& command, ServeOptions& options) {
    add_handler_flags(command, options.pump);
    add_seconds(command, "--pump-receive-wait-seconds", "HOLDFAST_PUMP_RECEIVE_WAIT_SECONDS",
                options.pump.receive_wait,
                "Longest time a receive blocks; its timeout runs no SQL");
    add_seconds(command, "--pump-lease-seconds", "HOLDFAST_PUMP_LEASE_SECONDS", options.pump.lease,
                "How long a node without heartbeats keeps its leases");
    add_window(command, "--missing-program-after", "HOLDFAST_MISSING_PROGRAM_AFTER",
               options.pump.missing_program_after,
               "How long no node may have the program of a running workflow before it is an "
               "incident, for example 10m; 0: forever");
    add_window(command, "--keep-ended", "HOLDFAST_KEEP_ENDED", options.retention.keep_ended,
               "How long to keep ended workflows, for example 90d, unless their definition sets "
               "keepFor; 0: forever");
    add_window(
        command, "--stale-after", "HOLDFAST_STALE_AFTER", options.retention.stale_after,
        "Cancel open workflows that had no change for this long and have no timer, task, event "
        "or child pending; 0: never");
    add_window(command, "--keep-records", "HOLDFAST_KEEP_RECORDS", options.retention.keep_records,
               "How long to keep keys, rounds and fates of events that belong to no workflow any "
               "more, at least 1h and as long as --keep-ended");
    add_window(command, "--keep-history", "HOLDFAST_KEEP_HISTORY", options.retention.keep_history,
               "How long to keep the history of open workflows, whose newest 100 versions always "
               "stay; 0: forever");
    add_window(command, "--keep-cleared", "HOLDFAST_KEEP_CLEARED", options.retention.keep_cleared,
               "How long to keep the history of cleared workflows, by default as long as "
               "--keep-ended; 0: forever");
    add_window(command, "--keep-audit", "HOLDFAST_KEEP_AUDIT", options.keep_audit,
               "How long to keep rows of the audit; 0: forever");
    add_window(command, "--keep-conflicts", "HOLDFAST_KEEP_CONFLICTS",
               options.retention.keep_conflicts,
               "How long to keep conflicts, also of open workflows; 0: as long as their workflow");
    command
        .add_flag("--allow-weak-durability", options.allow_weak_durability,
                  "Accept a database that may lose acknowledged changes in a crash of its machine")
        ->envname("HOLDFAST_ALLOW_WEAK_DURABILITY");
}

}  // namespace holdfast::app
