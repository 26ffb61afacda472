// A definition: a versioned key with an optional JSON Schema for its state and its declared index
// paths.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/contains.h"
#include "model/instance.h"
#include "model/schema/state_schema.h"

namespace holdfast {

// How its instances move: driven from outside, or by a program of a node.
enum class DefinitionKind { outside, flow };

std::string_view name_of(DefinitionKind kind);
std::optional<DefinitionKind> parse_definition_kind(std::string_view text);

// How long retention keeps its instances; absent: as the server says.
struct Retention {
    std::optional<std::chrono::microseconds> keep_for;     // after the end
    std::optional<std::chrono::microseconds> stale_after;  // open and unchanged

    bool operator==(const Retention&) const = default;
};

struct Definition {
    DefinitionRef ref;
    std::optional<std::string> schema;  // canonical JSON text
    std::vector<json::Path> indexes;
    DefinitionKind kind = DefinitionKind::outside;
    Retention retention;
    Digest checksum;  // of the content: same content, same version
    std::optional<UserId> created_by;
    Moment created_at;
    std::shared_ptr<const StateSchema> compiled;  // null: any state will do
};

// The digest of schema, index paths, kind and retention, in canonical form. The last two count only
// where they are not the default.
Digest content_checksum(const Definition& definition);

}  // namespace holdfast
