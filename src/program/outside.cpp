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
};

}  // namespace

std::shared_ptr<const Program> outside_program() {
    static const auto program = std::make_shared<const OutsideProgram>();
    return program;
}

}  // namespace holdfast
