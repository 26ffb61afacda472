// Puts a definition: the same content keeps its version, other content becomes the next version
// (002.8). A program brings its kind, an operator the settings (schema, indexes, retention,
// limits): each keeps what the newest version has of the other.
#pragma once

#include <memory>
#include <variant>

#include "operations/description.h"
#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Defined {
    static constexpr std::string_view name = "defined";

    std::shared_ptr<const Definition> definition;
    bool created = false;  // false: this content is already the newest version

    static void describe(auto& outcome, auto& with) {
        with("definition", outcome.definition);
        with("created", outcome.created);
    }
};

struct Define {
    static constexpr std::string_view name = "define";
    using Outcome = std::variant<Defined>;

    Cause cause;
    std::string key;
    std::optional<std::string> schema;  // canonical JSON
    std::shared_ptr<const StateSchema> compiled;
    std::vector<json::Path> indexes;
    std::string kind = "outside";  // another: a program defines
    std::optional<std::string> source;
    std::shared_ptr<const Program> program;  // compiled from them; null: of an outside runner
    Retention retention;
    std::optional<Limits> limits;

    // Compiles the schema and the program.
    Result<void> complete();

    std::size_t shard() const { return std::hash<std::string>{}(key); }
    static void describe(auto& op, auto& with) {
        with("key", op.key);
        with("schema", json_text(op.schema));
        with("indexes", op.indexes);
        with.later("kind", op.kind);
        with.later("source", op.source);
        with("keepForMicroseconds", op.retention.keep_for);
        with("staleAfterMicroseconds", op.retention.stale_after);
        with.later("limits", op.limits);
    }
};

// The same content as the newest version: nothing is added. The starter of a version goes with it.
Defined put_version(View& view, const Definition* newest, Definition wanted, const Cause& cause);
Defined define(View& view, const Define& op, const Cause& cause);

void reads(const Define& op, ReadSet& reads);
Define::Outcome decide(const Define& op, View& view);

}  // namespace holdfast::op
