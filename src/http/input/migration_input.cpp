#include "http/input/migration_input.h"

#include <boost/json.hpp>
#include <limits>

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_mapped = 10'000;

Result<std::vector<MappedElement>> read_mapping(const bj::object& body) {
    std::vector<MappedElement> mapping;
    const bj::value* given = body.if_contains("mapping");
    if (!given || given->is_null()) return mapping;
    if (!given->is_object() || given->get_object().size() > most_mapped)
        return refuse("'mapping' must be an object of at most 10000 elements' ids");
    for (const auto& [from, to] : given->get_object()) {
        if (!to.is_string())
            return refuse("'mapping' must give the id of an element for '" + std::string(from) +
                          "'");
        mapping.push_back({std::string(from), std::string(to.get_string())});
    }
    return mapping;
}

}  // namespace

Result<void> read_migration(const bj::object& body, op::Migrate& migrate) {
    HF_TRY(const auto to, read_number(body, "to"));
    if (!to || *to == 0 || *to > std::numeric_limits<std::int32_t>::max())
        return refuse("'to' must be a version of the definition: a whole number from 1");
    migrate.to = *to;
    HF_TRY(migrate.mapping, read_mapping(body));
    HF_TRY(const auto reason, read_line(body, "reason"));
    migrate.reason = reason.value_or("");
    return {};
}

}  // namespace holdfast::http
