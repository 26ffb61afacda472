// A definition: a versioned key with an optional JSON Schema for its state and its declared index
// paths.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json/contains.h"
#include "model/instance.h"
#include "model/state_schema.h"

namespace holdfast {

struct Definition {
    DefinitionRef ref;
    std::optional<std::string> schema;  // canonical JSON text
    std::vector<json::Path> indexes;
    Digest checksum;  // of the content: same content, same version
    std::optional<UserId> created_by;
    Moment created_at;
    std::shared_ptr<const StateSchema> compiled;  // null: any state will do
};

// The digest of schema and index paths, in canonical form.
Digest content_checksum(const std::optional<std::string>& schema,
                        const std::vector<json::Path>& indexes);

}  // namespace holdfast
