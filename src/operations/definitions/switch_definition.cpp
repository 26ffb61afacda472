#include "operations/definitions/switch_definition.h"

namespace holdfast::op {

void reads(const SwitchDefinition& op, ReadSet& reads) {
    reads.definition({op.cause.tenant(), op.key});
}

SwitchDefinition::Outcome decide(const SwitchDefinition& op, View& view) {
    const Definition* newest = view.newest_definition({op.cause.tenant(), op.key});
    if (!newest) return UnknownDefinition{op.key};
    Definition wanted = *newest;
    wanted.disabled = op.disabled;
    return put_version(view, newest, std::move(wanted), op.cause);
}

}  // namespace holdfast::op
