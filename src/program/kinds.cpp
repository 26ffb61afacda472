#include "program/kinds.h"

#include "program/flow.h"
#include "program/limiter/program.h"
#include "program/outside.h"
#include "program/process.h"
#include "program/schedule/program.h"

namespace holdfast {

bool is_for_workers(const Definition& definition) { return definition.kind == worker_kind; }

bool is_for_schedules(const Definition& definition) { return definition.kind == schedule_kind; }

bool is_for_limiters(const Definition& definition) { return definition.kind == limiter_kind; }

std::optional<RunnerKind> runner_kind(std::string_view runner) {
    if (runner == outside_kind) return RunnerKind{outside_kind, nullptr};
    if (runner == worker_kind) return RunnerKind{worker_kind, flow_program()};
    return std::nullopt;
}

const Program& program_without_definition(const Instance& instance) {
    return instance.run_by == RunBy::outside ? *outside_program() : *flow_program();
}

ProgramKinds& ProgramKinds::known() {
    static ProgramKinds kinds = [] {
        ProgramKinds all;
        all.add(std::string(outside_kind), [](const Definition&) { return outside_program(); });
        all.add(std::string(flow_kind), [](const Definition&) { return flow_program(); });
        all.add(std::string(worker_kind), [](const Definition&) { return flow_program(); });
        all.add(std::string(schedule_kind), [](const Definition&) { return schedule_program(); });
        all.add(std::string(limiter_kind), [](const Definition&) { return limiter_program(); });
        all.add(std::string(process_kind), [](const Definition& definition) {
            return process_of(definition.source.value_or(""), definition.ref.key);
        });
        return all;
    }();
    return kinds;
}

void ProgramKinds::add(std::string kind, Compile compile) {
    kinds_.insert_or_assign(std::move(kind), std::move(compile));
}

Result<std::shared_ptr<const Program>> ProgramKinds::compile(const Definition& definition) const {
    const auto found = kinds_.find(definition.kind);
    if (found == kinds_.end())
        return fail(ErrorCode::corrupt,
                    "the definition '" + definition.ref.key + "' is of the kind '" +
                        definition.kind +
                        "', which this build does not know; use the build that deployed it");
    return found->second(definition);
}

}  // namespace holdfast
