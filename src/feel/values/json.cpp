#include "feel/values/json.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <set>

#include "feel/values/show.h"

namespace holdfast::feel {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_names = 10'000;

Value list_from(const bj::array& array, Meter& meter) {
    if (!meter.step(array.size()) || !meter.allocate(array.size() * sizeof(Value))) return Null{};
    std::vector<Value> items;
    items.reserve(array.size());
    for (const bj::value& item : array) items.push_back(from_json(item, meter));
    return List(std::move(items));
}

Value context_from(const bj::object& object, Meter& meter) {
    if (!meter.step(object.size()) || !meter.allocate(object.size() * sizeof(Entry))) return Null{};
    std::vector<Entry> entries;
    entries.reserve(object.size());
    for (const auto& member : object)
        entries.push_back({Text(member.key()), from_json(member.value(), meter)});
    return Context(std::move(entries));
}

Result<bj::value> number_to_json(const Decimal& number) {
    if (const auto whole = number.whole()) return bj::value(*whole);
    const double real = number.to_double();
    if (std::isfinite(real)) return bj::value(real);
    return fail(ErrorCode::unrepresentable, "the number " + number.text() + " has no JSON form");
}

void collect(const bj::value& json, std::set<std::string>& names) {
    if (const bj::array* array = json.if_array())
        for (const bj::value& item : *array) collect(item, names);
    const bj::object* object = json.if_object();
    if (!object) return;
    for (const auto& member : *object) {
        const std::string_view name = member.key();
        const bool one_word = std::ranges::none_of(name, [](char c) {
            return std::string_view(" \t+-*/.'").find(c) != std::string_view::npos;
        });
        if (!one_word && names.size() < most_names) names.emplace(name);
        collect(member.value(), names);
    }
}

}  // namespace

Value from_json(const bj::value& json) {
    Meter meter{Budget{.steps = UINT64_MAX, .memory = UINT64_MAX}};
    return from_json(json, meter);
}

Value from_json(const bj::value& json, Meter& meter) {
    switch (json.kind()) {
        case bj::kind::null: return Null{};
        case bj::kind::bool_: return json.get_bool();
        case bj::kind::int64: return Decimal(json.get_int64());
        case bj::kind::uint64: return Decimal::of_unsigned(json.get_uint64());
        case bj::kind::double_: return Decimal::of(json.get_double());
        case bj::kind::string: {
            const bj::string& text = json.get_string();
            if (text.size() > Text::inside && !meter.allocate(text.size())) return Null{};
            return Text(std::string_view(text));
        }
        case bj::kind::array: return list_from(json.get_array(), meter);
        case bj::kind::object: return context_from(json.get_object(), meter);
    }
    return Null{};
}

Result<bj::value> to_json(const Value& value) {
    if (value.is_null()) return bj::value(nullptr);
    if (const auto* truth = value.get<bool>()) return bj::value(*truth);
    if (const auto* number = value.get<Decimal>()) return number_to_json(*number);
    if (const auto* text = value.get<Text>()) return bj::value(bj::string(text->view()));
    if (const auto* list = value.get<List>()) {
        bj::array array;
        array.reserve(list->size());
        for (const Value& item : *list) {
            HF_TRY(bj::value json, to_json(item));
            array.push_back(std::move(json));
        }
        return bj::value(std::move(array));
    }
    if (const auto* context = value.get<Context>()) {
        bj::object object;
        for (const Entry& entry : *context) {
            HF_TRY(bj::value json, to_json(entry.value));
            object.emplace(entry.name.view(), std::move(json));
        }
        return bj::value(std::move(object));
    }
    if (value.get<FunctionPointer>())
        return fail(ErrorCode::refused, "a function has no JSON form");
    return bj::value(bj::string(shown(value)));
}

std::vector<std::string> names_in(const bj::value& json) {
    std::set<std::string> names;
    collect(json, names);
    return {names.begin(), names.end()};
}

}  // namespace holdfast::feel
