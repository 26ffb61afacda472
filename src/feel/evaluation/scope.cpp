#include "feel/evaluation/scope.h"

#include <algorithm>
#include <ranges>

#include "feel/evaluation/path.h"
#include "feel/values/json.h"

namespace holdfast::feel {
namespace {

namespace bj = boost::json;

Value follow(Value value, std::span<const std::string> members, Meter& meter) {
    for (const std::string& member : members) value = member_of(value, member, meter);
    return value;
}

}  // namespace

void Scope::set(std::string name, Value value) {
    set_.emplace_back(std::move(name), std::move(value));
}

const Value* Scope::find_set(std::string_view name) const {
    for (const auto& [known, value] : set_ | std::views::reverse)
        if (known == name) return &value;
    return nullptr;
}

std::optional<Value> Scope::find(std::string_view name, Meter& meter) const {
    if (const Value* value = find_set(name)) return *value;
    const bj::value* found = variables_ ? variables_->if_contains(name) : nullptr;
    if (!found) return std::nullopt;
    return from_json(*found, meter);
}

std::optional<Value> Scope::find(std::string_view name, std::span<const std::string> members,
                                 Meter& meter) const {
    if (const Value* value = find_set(name)) return follow(*value, members, meter);
    const bj::value* found = variables_ ? variables_->if_contains(name) : nullptr;
    if (!found) return std::nullopt;
    while (!members.empty()) {
        const bj::object* object = found->if_object();
        if (!object) break;
        found = object->if_contains(members.front());
        if (!found) return meter.fail({"the context has no entry '", members.front(), "'"});
        members = members.subspan(1);
    }
    return follow(from_json(*found, meter), members, meter);
}

}  // namespace holdfast::feel
