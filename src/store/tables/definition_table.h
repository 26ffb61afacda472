// The columns of definitions.
#pragma once

#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "model/definition.h"
#include "store/query.h"
#include "store/tables/decode.h"

namespace holdfast::tables {

// Index paths as a list of texts.
template <class Paths>
struct IndexPaths {
    Paths& paths;
};
template <class Paths>
struct Stored<IndexPaths<Paths>> {
    using Column = TextList;
    static JsonText to_column(const IndexPaths<Paths>& member) {
        return {indexes_to_json(member.paths)};
    }
    static bool from_column(const Column& column, const IndexPaths<Paths>& member) {
        if (!column.texts) return false;
        for (const std::string& text : *column.texts) {
            auto path = json::parse_path(text);
            if (!path) return false;
            member.paths.push_back(*std::move(path));
        }
        return true;
    }
};

// Limits as JSON; null without any.
template <class SomeLimits>
struct LimitsText {
    SomeLimits& limits;
};
template <class SomeLimits>
struct Stored<LimitsText<SomeLimits>> {
    using Column = std::optional<std::string>;
    static Column to_column(const LimitsText<SomeLimits>& member) {
        if (!member.limits) return std::nullopt;
        return json::canonical(to_json(*member.limits));
    }
    static bool from_column(const Column& column, const LimitsText<SomeLimits>& member) {
        if (!column) return true;
        const auto parsed = json::parse(*column);
        if (!parsed || !parsed->is_object()) return false;
        auto limits = read_limits(parsed->as_object());
        if (limits) member.limits = *std::move(limits);
        return limits.has_value();
    }
};

struct Definitions {
    static constexpr std::string_view name = "definitions";
    using Row = Definition;

    template <class Visit, class SomeDefinition>
    static void columns(Visit& visit, SomeDefinition& definition) {
        visit("tenant", definition.tenant);
        visit("key", definition.ref.key);
        visit("version", definition.ref.version);
        visit("schema", definition.schema);
        visit("indexes", IndexPaths{definition.indexes});
        visit("checksum", definition.checksum);
        visit("created_by", or_null(definition.created_by));
        visit("created_at", definition.created_at);
        visit("kind", definition.kind);
        visit("keep_for", definition.retention.keep_for);
        visit("stale_after", definition.retention.stale_after);
        visit("source", definition.source);
        visit("disabled", definition.disabled);
        visit("limits", LimitsText{definition.limits});
    }
};

struct DefinitionSummaries {
    static constexpr std::string_view name = "definition_summary";
    using Row = DefinitionSummary;

    template <class Visit, class SomeDefinition>
    static void columns(Visit& visit, SomeDefinition& definition) {
        visit("key", definition.ref.key);
        visit("version", definition.ref.version);
        visit("kind", definition.kind);
        visit("created_at", definition.created_at);
        visit("disabled", definition.disabled);
    }
};

}  // namespace holdfast::tables
