#include "node/check.h"

#include <algorithm>
#include <set>

#include "flow/execution.h"
#include "flow/wording.h"
#include "node/journal_reader.h"
#include "node/thrown.h"

namespace holdfast {
namespace {

// Compares only whether both sleep; the duration may differ.
bool is_alike(const op::Suspend& has, const Wait& registered) {
    const auto all = [](const auto& list) { return std::set(list.begin(), list.end()); };
    return all(has.wait.names) == all(registered.names) &&
           all(has.wait.workflows) == all(registered.workflows) &&
           (has.after || has.wait.until) == registered.until.has_value();
}

// A registered wait is not in the journal yet. A pause before a retry of a step is not a wait of
// the flow.
bool matches_wait(const std::vector<flow::Command>& commands, const Wait& wait) {
    if (wait.retry) return true;
    return std::ranges::any_of(commands, [&](const flow::Command& command) {
        const auto* suspend = std::get_if<op::Suspend>(&command);
        return suspend && is_alike(*suspend, wait);
    });
}

std::optional<Divergence> check(Reads& store, const Instance& instance, const flow::Code& code) {
    flow::Execution execution(code, {instance.id, instance.run});
    for (;;) {
        const auto entries =
            value_of(store.journal_from(instance.id, execution.next(), journal_page));
        for (const JournalEntry& entry : entries) execution.feed(entry);
        if (entries.size() < journal_page) break;
    }
    std::optional<flow::Diverged> diverged;
    const auto commands = execution.advance();
    for (const flow::Command& command : commands)
        if (const auto* found = std::get_if<flow::Diverged>(&command)) diverged = *found;
    for (const Waiting& waiting : instance.waits)
        if (!diverged && !matches_wait(commands, waiting.wait))
            diverged = {execution.next(), execution.describe_next(), flow::describe(waiting.wait)};
    execution.abandon();
    if (!diverged) return std::nullopt;
    return Divergence{to_string(instance.id), code.name, diverged->index, diverged->expected,
                      diverged->found};
}

}  // namespace

std::vector<Divergence> check_flows(Reads& store, const Runner& runner) {
    std::vector<Divergence> found;
    for (const auto& [name, code] : runner.codes()) {
        InstanceQuery query{.statuses = {Status::running, Status::suspended},
                            .definition = name,
                            .budget = unhurried};
        do {
            auto instances = value_of(store.ask(query));
            for (const FoundInstance& one : instances.items)
                if (auto divergence = check(store, one.instance, code))
                    found.push_back(*divergence);
            query.cursor = instances.next;
        } while (query.cursor);
    }
    return found;
}

}  // namespace holdfast
