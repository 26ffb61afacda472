// Reads the keywords of one schema object and records the first invalid one.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast::schema {

namespace bj = boost::json;

// `path`/`token`, escaped as a JSON Pointer.
std::string below(const std::string& path, std::string_view token);

class Keywords {
public:
    // `path` leads to `object` in the schema document.
    Keywords(const bj::object& object, std::string path)
        : object_(object), path_(std::move(path)) {}

    // Null: absent.
    const bj::value* find(std::string_view name) const { return object_.if_contains(name); }
    std::string path_of(std::string_view name) const { return below(path_, name); }

    // Absent or null: the keyword is missing, or invalid and recorded in problem().
    std::optional<std::uint64_t> size(std::string_view name);
    std::optional<bj::value> number(std::string_view name);
    std::optional<std::string> text(std::string_view name);
    std::optional<std::vector<std::string>> texts(std::string_view name);
    const bj::array* list(std::string_view name);
    const bj::object* map(std::string_view name);
    bool flag(std::string_view name);  // false if absent

    void blame(std::string_view name, std::string_view rule);
    const std::optional<Error>& problem() const { return problem_; }

private:
    const bj::object& object_;
    std::string path_;
    std::optional<Error> problem_;
};

// The strings of a list; absent: not a list of strings.
std::optional<std::vector<std::string>> strings_of(const bj::value& value);

}  // namespace holdfast::schema
