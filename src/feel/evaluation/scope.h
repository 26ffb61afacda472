// The names that an expression can use: JSON variables, and values set by the caller.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "feel/evaluation/budget.h"
#include "feel/values/value.h"

namespace holdfast::feel {

// Borrows the JSON object, which must outlive it. Reading is safe from several threads.
class Scope {
public:
    Scope() = default;
    explicit Scope(const boost::json::object& variables) : variables_(&variables) {}

    // Hides a variable of that name.
    void set(std::string name, Value value);

    // Absent: no such name.
    std::optional<Value> find(std::string_view name, Meter& meter) const;
    // `name.member.member`: converts only the value at the end of the path.
    std::optional<Value> find(std::string_view name, std::span<const std::string> members,
                              Meter& meter) const;

private:
    const Value* find_set(std::string_view name) const;

    const boost::json::object* variables_ = nullptr;
    std::vector<std::pair<std::string, Value>> set_;
};

}  // namespace holdfast::feel
