#include "model/definition.h"

#include "base/names.h"

namespace holdfast {
namespace {

constexpr Named<DefinitionKind> definition_kinds[] = {{DefinitionKind::outside, "outside"},
                                                      {DefinitionKind::flow, "flow"}};

std::string text_of(const std::optional<std::chrono::microseconds>& time) {
    return time ? std::to_string(time->count()) : "-";
}

}  // namespace

std::string_view name_of(DefinitionKind kind) { return name_in(definition_kinds, kind); }
std::optional<DefinitionKind> parse_definition_kind(std::string_view text) {
    return find_in(definition_kinds, text);
}

Digest content_checksum(const Definition& definition) {
    std::string text = definition.schema ? *definition.schema : "null";
    for (const json::Path& path : definition.indexes) text += '\n' + json::to_string(path);
    if (definition.kind != DefinitionKind::outside)
        text += "\nkind " + std::string(name_of(definition.kind));
    if (definition.retention != Retention{})
        text += "\nretention " + text_of(definition.retention.keep_for) + ' ' +
                text_of(definition.retention.stale_after);
    return sha256(text);
}

}  // namespace holdfast
