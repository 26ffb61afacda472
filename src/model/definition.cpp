#include "model/definition.h"

#include "base/json/canonical.h"

namespace holdfast {
namespace {

std::string text_of(const std::optional<std::chrono::microseconds>& time) {
    return time ? std::to_string(time->count()) : "-";
}

}  // namespace

Digest content_checksum(const Definition& definition) {
    std::string text = definition.schema ? *definition.schema : "null";
    for (const json::Path& path : definition.indexes) text += '\n' + json::to_string(path);
    if (definition.kind != "outside") text += "\nkind " + definition.kind;
    if (definition.source) text += "\nsource " + to_hex(sha256(*definition.source));
    if (definition.retention != Retention{})
        text += "\nretention " + text_of(definition.retention.keep_for) + ' ' +
                text_of(definition.retention.stale_after);
    if (definition.limits) text += "\nlimits " + json::canonical(to_json(*definition.limits));
    if (definition.disabled) text += "\ndisabled";
    return sha256(text);
}

// Of no time: ids of starters sort before all others.
InstanceId starter_of(const std::string& tenant, const DefinitionRef& ref) {
    const Digest digest =
        sha256("starter\n" + tenant + '\n' + ref.key + '\n' + std::to_string(ref.version));
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    for (int i = 0; i < 8; ++i) {
        high = high << 8 | digest.bytes[i];
        low = low << 8 | digest.bytes[8 + i];
    }
    return {make_uuid_v7(Moment{}, high, low)};
}

bool is_starter(const Instance& instance) {
    return instance.id == starter_of(instance.tenant, instance.definition);
}

}  // namespace holdfast
