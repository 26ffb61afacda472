#include "feel/evaluation/path.h"

#include "feel/evaluation/properties.h"

namespace holdfast::feel {

Value member_of(const Value& value, std::string_view name, Meter& meter) {
    if (const auto* context = value.get<Context>()) {
        if (const Value* found = context->find(name)) return *found;
        return meter.fail({"the context has no entry '", name, "'"});
    }
    if (const auto* list = value.get<List>()) {
        std::vector<Value> members;
        if (!meter.step(list->size()) || !meter.allocate(list->size() * sizeof(Value)))
            return Null{};
        members.reserve(list->size());
        for (const Value& item : *list) members.push_back(member_of(item, name, meter));
        return List(std::move(members));
    }
    if (auto found = property_of(value, name)) return *std::move(found);
    if (value.is_null()) return meter.fail({"null has no member '", name, "'"});
    return meter.fail({"a ", name_of(value.kind()), " has no member '", name, "'"});
}

}  // namespace holdfast::feel
