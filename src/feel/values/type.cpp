#include "feel/values/type.h"

#include <algorithm>

#include "feel/values/function.h"

namespace holdfast::feel {
namespace {

// Inside lists, contexts and ranges null conforms to every type.
bool suits(const Value& value, const Type& type) {
    return value.is_null() || is_instance(value, type);
}

bool is_list_of(const Value& value, const Type& type) {
    const auto* list = value.get<List>();
    return list && std::ranges::all_of(list->items(), [&](const Value& item) {
               return suits(item, type.inner.front());
           });
}

bool has_members(const Value& value, const Type& type) {
    const auto* context = value.get<Context>();
    if (!context) return false;
    for (std::size_t i = 0; i < type.names.size(); ++i) {
        const Value* found = context->find(type.names[i]);
        if (!found || !suits(*found, type.inner[i])) return false;
    }
    return true;
}

bool is_range_of(const Value& value, const Type& type) {
    const auto* range = value.get<RangePointer>();
    return range && suits((*range)->low, type.inner.front()) &&
           suits((*range)->high, type.inner.front());
}

}  // namespace

bool is_instance(const Value& value, const Type& type) {
    if (value.is_null()) return type.form == Type::Form::null;
    switch (type.form) {
        case Type::Form::any: return true;
        case Type::Form::null: return false;
        case Type::Form::simple: return value.kind() == type.kind;
        case Type::Form::list: return is_list_of(value, type);
        case Type::Form::context: return has_members(value, type);
        case Type::Form::range: return is_range_of(value, type);
        case Type::Form::function: {
            const auto* function = value.get<FunctionPointer>();
            return function && accepts(**function, type.inner.size());
        }
    }
    return false;
}

std::optional<Value> coerced(const Value& value, const Type& type) {
    if (suits(value, type)) return value;
    if (const auto* list = value.get<List>(); list && list->size() == 1)
        if (suits((*list)[0], type)) return (*list)[0];
    if (type.form == Type::Form::list && value.kind() != Kind::list)
        if (suits(value, type.inner.front())) return List({value});
    const auto* date = value.get<Date>();
    if (date && type.form == Type::Form::simple && type.kind == Kind::date_time)
        return midnight(*date);
    return std::nullopt;
}

}  // namespace holdfast::feel
