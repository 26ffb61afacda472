#include "node/check.h"

#include "flow/execution.h"
#include "node/thrown.h"

namespace holdfast {
namespace {

constexpr std::size_t page = 1'000;

std::optional<Divergence> check(Store& store, const Instance& instance, const flow::Code& code) {
    flow::Execution execution(code, {instance.id, instance.run});
    for (;;) {
        const auto entries = value_of(store.journal_from(instance.id, execution.next(), page));
        for (const JournalEntry& entry : entries) execution.feed(entry);
        if (entries.size() < page) break;
    }
    std::optional<Divergence> divergence;
    for (const flow::Command& command : execution.advance())
        if (const auto* diverged = std::get_if<flow::Diverged>(&command))
            divergence = Divergence{to_string(instance.id), code.name, diverged->index,
                                    diverged->expected, diverged->found};
    execution.abandon();
    return divergence;
}

}  // namespace

std::vector<Divergence> check_flows(Store& store, const Runner& runner) {
    std::vector<Divergence> found;
    for (const auto& [name, code] : runner.codes()) {
        InstanceQuery query{.statuses = {Status::running, Status::suspended}, .definition = name};
        do {
            auto instances = value_of(store.search(query));
            for (const FoundInstance& one : instances.items)
                if (auto divergence = check(store, one.instance, code))
                    found.push_back(*divergence);
            query.cursor = instances.next;
        } while (query.cursor);
    }
    return found;
}

}  // namespace holdfast
