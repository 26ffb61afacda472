#include "feel/builtins/builtins.h"

#include <algorithm>
#include <map>
#include <vector>

#include "feel/syntax/node.h"
#include "feel/values/function.h"

namespace holdfast::feel {

std::string_view name_of(Want want) {
    switch (want) {
        case Want::anything: return "anything";
        case Want::value: return "a value";
        case Want::boolean: return "a boolean";
        case Want::number: return "a number";
        case Want::string: return "a string";
        case Want::list: return "a list";
        case Want::context: return "a context";
        case Want::range: return "a range";
        case Want::function: return "a function";
        case Want::duration: return "a days and time duration";
        case Want::date_or_time: return "a date or a date and time";
    }
    return "anything";
}

std::size_t Builtin::fewest() const {
    return static_cast<std::size_t>(
        std::ranges::count(parameters, Given::always, &Parameter::given));
}

bool Builtin::takes(std::size_t arguments) const {
    return arguments >= fewest() && (arguments <= parameters.size() || repeat == Repeat::last);
}

std::span<const BuiltinGroup> builtin_groups() {
    static const std::array<BuiltinGroup, 9> groups = {{
        {"Booleans", boolean_builtins()},
        {"Strings", string_builtins()},
        {"Numbers", numeric_builtins()},
        {"Lists", list_builtins()},
        {"Lists: change and order", list_change_builtins()},
        {"Contexts", context_builtins()},
        {"Conversion", conversion_builtins()},
        {"Dates and times", temporal_builtins()},
        {"Ranges", range_builtins()},
    }};
    return groups;
}

std::span<const Builtin> all_builtins() {
    static const std::vector<Builtin> rows = [] {
        std::vector<Builtin> all;
        for (const BuiltinGroup& group : builtin_groups())
            all.insert(all.end(), group.rows.begin(), group.rows.end());
        return all;
    }();
    return rows;
}

std::span<const Builtin> find_builtins(std::string_view name) {
    static const auto index = [] {
        std::map<std::string_view, std::span<const Builtin>, std::less<>> names;
        const auto rows = all_builtins();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto& known = names[rows[i].name];
            known = known.empty() ? rows.subspan(i, 1) : std::span(known.data(), known.size() + 1);
        }
        return names;
    }();
    const auto found = index.find(name);
    return found == index.end() ? std::span<const Builtin>() : found->second;
}

bool accepts(const Function& function, std::size_t arguments) {
    if (function.definition) return function.definition->parameters.size() == arguments;
    return std::ranges::any_of(function.builtins,
                               [&](const Builtin& row) { return row.takes(arguments); });
}

}  // namespace holdfast::feel
