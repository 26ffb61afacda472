// A workflow definition: a versioned key with an optional JSON Schema for the state and declared
// index paths.
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

// Who runs its instances: an outside runner, or a program on a node.
enum class DefinitionKind { outside, flow };

std::string_view name_of(DefinitionKind kind);
std::optional<DefinitionKind> parse_definition_kind(std::string_view text);

// How long retention keeps its instances; absent: the server's setting.
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
    Digest checksum;  // content_checksum: equal content does not make a new version
    std::optional<UserId> created_by;
    Moment created_at;
    std::shared_ptr<const StateSchema> compiled;  // null: any state is valid
};

// The digest of schema, index paths, kind and retention in canonical form. Kind and retention are
// included only if they differ from the default.
Digest content_checksum(const Definition& definition);

}  // namespace holdfast
