#include "program/kinds.h"

#include "program/flow.h"
#include "program/outside.h"
#include "program/process.h"

namespace holdfast {

ProgramKinds& ProgramKinds::known() {
    static ProgramKinds kinds = [] {
        ProgramKinds all;
        all.add("outside", [](const Definition&) { return outside_program(); });
        all.add("flow", [](const Definition&) { return flow_program(); });
        // Flows whose code is in workers outside.
        all.add("worker", [](const Definition&) { return flow_program(); });
        all.add("bpmn", [](const Definition& definition) {
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
