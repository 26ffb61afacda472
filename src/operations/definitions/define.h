// Puts a definition: the same content keeps its version, other content becomes the next version
// (002.8). A program brings its kind, an operator the settings (schema, indexes, retention): each
// keeps what the newest version has of the other.
#pragma once

#include <memory>
#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Defined {
    std::shared_ptr<const Definition> definition;
    bool created = false;  // false: this content is already the newest version
};

struct Define {
    static constexpr std::string_view name = "define";
    using Outcome = std::variant<Defined>;

    Cause cause;
    std::string key;
    std::optional<std::string> schema;  // canonical JSON
    std::shared_ptr<const StateSchema> compiled;
    std::vector<json::Path> indexes;
    DefinitionKind kind = DefinitionKind::outside;  // flow: a program defines
    Retention retention;
};

void reads(const Define& op, ReadSet& reads);
Define::Outcome decide(const Define& op, View& view);
boost::json::object to_json(const Define& op);
boost::json::object to_json(const Defined& outcome);

}  // namespace holdfast::op
