#include "program/outside.h"

#include "program/journalled.h"

namespace holdfast {
namespace {

class OutsideProgram final : public Program {
public:
    RunBy run_by() const override { return RunBy::outside; }

    Reaction react(const Instance& instance, const Stimulus& stimulus, Moment now) const override {
        if (std::holds_alternative<stimulus::Started>(stimulus)) return {};
        return react_by_journal(instance, stimulus, now);
    }

    // What it waits for stays: its runner knows what to do next.
    Migration migrate(const Instance&, const Program& from,
                      const std::vector<MappedElement>& mapping, Moment) const override {
        Migration migration;
        if (from.run_by() != RunBy::outside)
            migration.report.blame("", "the versions are of different kinds");
        for (const MappedElement& one : mapping)
            migration.report.blame(one.from, "a workflow of a runner has no elements");
        return migration;
    }
};

}  // namespace

std::shared_ptr<const Program> outside_program() {
    static const auto program = std::make_shared<const OutsideProgram>();
    return program;
}

}  // namespace holdfast
