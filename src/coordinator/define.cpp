#include "coordinator/define.h"

#include "model/codec.h"

namespace holdfast::op {

void reads(const Define& op, ReadSet& reads) { reads.definition(op.key); }

Define::Outcome decide(const Define& op, View& view) {
    const Digest checksum = content_checksum(op.schema, op.indexes);
    const Definition* newest = view.newest_definition(op.key);
    if (newest && newest->checksum == checksum)
        return Defined{std::make_shared<const Definition>(*newest), false};
    auto definition = std::make_shared<const Definition>(
        Definition{.ref = {op.key, newest ? newest->ref.version + 1 : 1},
                   .schema = op.schema,
                   .indexes = op.indexes,
                   .checksum = checksum,
                   .created_by = op.cause.user,
                   .created_at = view.now(),
                   .compiled = op.compiled});
    view.add(definition);
    return Defined{definition, true};
}

boost::json::object to_json(const Define& op) {
    boost::json::array indexes;
    for (const json::Path& path : op.indexes) indexes.emplace_back(json::to_string(path));
    boost::json::object object{{"operation", op.name},
                               {"cause", to_json(op.cause)},
                               {"key", op.key},
                               {"indexes", std::move(indexes)}};
    object["schema"] = nullptr;
    if (op.schema) object["schema"] = Document::trusted(*op.schema, {}).value();
    return object;
}

boost::json::object to_json(const Defined& outcome) {
    return named("defined",
                 {{"definition", to_json(*outcome.definition)}, {"created", outcome.created}});
}

}  // namespace holdfast::op
