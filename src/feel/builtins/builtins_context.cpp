#include <algorithm>

#include "feel/builtins/builtins.h"
#include "feel/builtins/call.h"

namespace holdfast::feel {
namespace {

bool prepare_entries(Call& call, std::size_t count) {
    return call.meter().step(count) && call.meter().allocate(count * sizeof(Entry));
}

Value get_value(Call& call) {
    if (const Value* found = call.context(0).find(call.text(1))) return *found;
    return call.fail({"the context has no entry '", call.text(1), "'"});
}

Value get_entries(Call& call) {
    const Context& context = call.context(0);
    if (!prepare_entries(call, context.size() * 3)) return Null{};
    std::vector<Value> list;
    for (const Entry& entry : context)
        list.emplace_back(Context({{"key", entry.name}, {"value", entry.value}}));
    return call.make(std::move(list));
}

Value context_of_entries(Call& call) {
    const List& list = call.list(0);
    if (!prepare_entries(call, list.size())) return Null{};
    std::vector<Entry> entries;
    for (const Value& item : list) {
        const auto* pair = item.get<Context>();
        const Value* key = pair ? pair->find("key") : nullptr;
        const Value* value = pair ? pair->find("value") : nullptr;
        if (!key || !value || !key->get<Text>())
            return call.fail("context() needs contexts with a string 'key' and a 'value'");
        entries.push_back({*key->get<Text>(), *value});
    }
    Context context(std::move(entries));
    for (const Entry& entry : context)
        if (context.find(entry.name.view()) != &entry.value)
            return call.fail({"duplicate entry '", entry.name.view(), "'"});
    return context;
}

// Replaces the entry in place, or appends it.
Value put(Call& call, const Context& context, const Text& name, const Value& value) {
    if (!prepare_entries(call, context.size() + 1)) return Null{};
    std::vector<Entry> entries(context.begin(), context.end());
    const auto known = std::ranges::find(entries, name, &Entry::name);
    if (known != entries.end()) {
        known->value = value;
    } else {
        entries.push_back({name, value});
    }
    return call.make(std::move(entries));
}

Value put_key(Call& call) { return put(call, call.context(0), *call[1].get<Text>(), call[2]); }

// Rebuilds the contexts from the innermost outwards.
Value put_at(Call& call, const Context& context, std::span<const Value> keys) {
    const auto* name = keys.front().get<Text>();
    if (!name) return call.fail("the keys must be strings");
    if (keys.size() == 1) return put(call, context, *name, call[2]);
    const Value* found = context.find(name->view());
    const auto* inner = found ? found->get<Context>() : nullptr;
    if (!inner) return call.fail({"'", name->view(), "' is not a context"});
    const Value changed = put_at(call, *inner, keys.subspan(1));
    if (changed.is_null()) return Null{};
    return put(call, context, *name, changed);
}

Value put_keys(Call& call) {
    if (call.list(1).empty()) return call.fail("at least one key is needed");
    if (call.list(1).size() > call.context(0).height() + 1)
        return call.fail("the keys are longer than the nesting of the context");
    return put_at(call, call.context(0), call.list(1).items());
}

Value merge(Call& call) {
    std::vector<Entry> entries;
    for (const Value& item : call.list(0)) {
        const auto* context = item.get<Context>();
        if (!context) return call.fail("context merge() needs a list of contexts");
        if (!prepare_entries(call, context->size())) return Null{};
        for (const Entry& entry : *context) {
            if (!call.meter().step(entries.size() / 4)) return Null{};
            const auto known = std::ranges::find(entries, entry.name, &Entry::name);
            if (known != entries.end()) {
                known->value = entry.value;
            } else {
                entries.push_back(entry);
            }
        }
    }
    return call.make(std::move(entries));
}

constexpr Parameter context = {"context", Want::context};

constexpr Builtin context_rows[] = {
    {"get value",
     {{"m", Want::context}, {"key", Want::string}},
     get_value,
     "The value of an entry",
     "get value({a: 1}, \"a\")"},
    {"get entries",
     {{"m", Want::context}},
     get_entries,
     "All entries, as keys and values",
     "get entries({a: 1, b: 2})"},
    {"context",
     {{"entries", Want::list}},
     context_of_entries,
     "A context from keys and values",
     "context([{key: \"a\", value: 1}])"},
    {"context put",
     {context, {"key", Want::string}, {"value"}},
     put_key,
     "The context with one entry set",
     "context put({a: 1}, \"b\", 2)"},
    {"context put",
     {context, {"keys", Want::list}, {"value"}},
     put_keys,
     "The context with an entry of a nested context set",
     "context put({a: {b: 1}}, [\"a\", \"b\"], 2)"},
    {"context merge",
     {{"contexts", Want::list}},
     merge,
     "The contexts merged; the last entry of a name wins",
     "context merge([{a: 1}, {a: 2, b: 3}])"},
};

}  // namespace

std::span<const Builtin> context_builtins() { return context_rows; }

}  // namespace holdfast::feel
