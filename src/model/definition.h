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
#include "model/limits.h"
#include "model/schema/state_schema.h"

namespace holdfast {

class Program;

// A version of a tenant's definition.
struct TenantRef {
    std::string tenant;
    DefinitionRef ref;

    auto operator<=>(const TenantRef&) const = default;
};

// How long retention keeps its instances; absent: the server's setting.
struct Retention {
    std::optional<std::chrono::microseconds> keep_for;     // after the end
    std::optional<std::chrono::microseconds> stale_after;  // open and unchanged

    bool operator==(const Retention&) const = default;
};

struct Definition {
    std::string tenant = "default";
    DefinitionRef ref;
    std::optional<std::string> schema;  // canonical JSON text
    std::vector<json::Path> indexes;
    std::string kind = "outside";       // of its program
    std::optional<std::string> source;  // absent: the kind needs none
    Retention retention;
    std::optional<Limits> limits;
    bool disabled = false;   // nobody may start an instance, and nothing starts one
    Digest checksum;         // content_checksum: equal content does not make a new version
    std::string created_by;  // user; empty: nobody in particular
    Moment created_at;
    std::shared_ptr<const StateSchema> compiled;  // null: any state is valid
    std::shared_ptr<const Program> program;       // compiled from kind and source
};

// The digest of schema, index paths, kind, source, retention, limits and whether it is disabled in
// canonical form. All but the first two are included only if they differ from the default.
Digest content_checksum(const Definition& definition);

// The instance that waits for what starts instances of this version of a definition.
InstanceId starter_of(const std::string& tenant, const DefinitionRef& ref);
bool is_starter(const Instance& instance);

}  // namespace holdfast
