#include "operations/definitions/define.h"

#include "model/codec/codec.h"

namespace holdfast::op {

namespace {

// What the definer brings, joined with what the other brought to the newest version.
Definition joined(const Define& op, const Definition* newest) {
    const bool by_program = op.kind == DefinitionKind::flow;
    if (newest && by_program)
        return {.schema = newest->schema,
                .indexes = newest->indexes,
                .kind = op.kind,
                .retention = newest->retention,
                .compiled = newest->compiled};
    return {.schema = op.schema,
            .indexes = op.indexes,
            .kind = newest ? newest->kind : op.kind,
            .retention = op.retention,
            .compiled = op.compiled};
}

}  // namespace

void reads(const Define& op, ReadSet& reads) { reads.definition(op.key); }

Define::Outcome decide(const Define& op, View& view) {
    const Definition* newest = view.newest_definition(op.key);
    Definition wanted = joined(op, newest);
    wanted.ref = {op.key, newest ? newest->ref.version + 1 : 1};
    wanted.created_by = op.cause.user;
    wanted.created_at = view.now();
    wanted.checksum = content_checksum(wanted);
    if (newest && newest->checksum == wanted.checksum)
        return Defined{std::make_shared<const Definition>(*newest), false};
    auto definition = std::make_shared<const Definition>(std::move(wanted));
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
    if (op.kind != DefinitionKind::outside) object["kind"] = name_of(op.kind);
    if (op.retention.keep_for) object["keepForMicroseconds"] = op.retention.keep_for->count();
    if (op.retention.stale_after)
        object["staleAfterMicroseconds"] = op.retention.stale_after->count();
    object["schema"] = nullptr;
    if (op.schema) object["schema"] = Document::trusted(*op.schema, {}).value();
    return object;
}

boost::json::object to_json(const Defined& outcome) {
    return named("defined",
                 {{"definition", to_json(*outcome.definition)}, {"created", outcome.created}});
}

}  // namespace holdfast::op
