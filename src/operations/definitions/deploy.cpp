#include "operations/definitions/deploy.h"

namespace holdfast::op {

void reads(const Deploy& op, ReadSet& reads) {
    for (const Define& part : op.parts) reads.definition({op.cause.tenant(), part.key});
}

Deploy::Outcome decide(const Deploy& op, View& view) {
    Deployed deployed;
    for (const Define& part : op.parts)
        deployed.definitions.push_back(define(view, part, op.cause));
    return deployed;
}

}  // namespace holdfast::op
