#include "feel/values/value.h"

#include <algorithm>
#include <numeric>

#include "feel/values/function.h"

namespace holdfast::feel {
namespace {

constexpr std::size_t most_without_index = 12;

std::uint32_t height_above(std::uint32_t height, const Value& value) {
    return std::max(height, value.height() + 1);
}

}  // namespace

struct List::Body {
    std::vector<Value> items;
    std::uint32_t height = 1;
};

List::List(std::vector<Value> items) {
    auto body = std::make_shared<Body>();
    for (const Value& item : items) body->height = height_above(body->height, item);
    body->items = std::move(items);
    body_ = std::move(body);
}

std::size_t List::size() const { return body_ ? body_->items.size() : 0; }

const Value& List::operator[](std::size_t index) const { return body_->items[index]; }

std::span<const Value> List::items() const {
    return body_ ? std::span<const Value>(body_->items) : std::span<const Value>();
}

const Value* List::begin() const { return items().data(); }

const Value* List::end() const { return items().data() + items().size(); }

std::uint32_t List::height() const { return body_ ? body_->height : 1; }

struct Context::Body {
    std::vector<Entry> entries;
    std::vector<std::uint32_t>
        by_name;  // for large contexts: indices into `entries`, sorted by name
    std::uint32_t height = 1;
};

Context::Context(std::vector<Entry> entries) {
    auto body = std::make_shared<Body>();
    for (const Entry& entry : entries) body->height = height_above(body->height, entry.value);
    body->entries = std::move(entries);
    if (body->entries.size() > most_without_index) {
        body->by_name.resize(body->entries.size());
        std::iota(body->by_name.begin(), body->by_name.end(), 0);
        std::ranges::sort(body->by_name, {},
                          [&](std::uint32_t place) { return body->entries[place].name.view(); });
    }
    body_ = std::move(body);
}

std::span<const Entry> Context::entries() const {
    return body_ ? std::span<const Entry>(body_->entries) : std::span<const Entry>();
}

const Entry* Context::begin() const { return entries().data(); }

const Entry* Context::end() const { return entries().data() + entries().size(); }

const Value* Context::find(std::string_view name) const {
    if (!body_) return nullptr;
    const auto& entries = body_->entries;
    if (body_->by_name.empty()) {
        for (const Entry& entry : entries)
            if (entry.name == name) return &entry.value;
        return nullptr;
    }
    const auto name_at = [&](std::uint32_t place) { return entries[place].name.view(); };
    const auto found = std::ranges::lower_bound(body_->by_name, name, {}, name_at);
    if (found == body_->by_name.end() || name_at(*found) != name) return nullptr;
    return &entries[*found].value;
}

std::uint32_t Context::height() const { return body_ ? body_->height : 1; }

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::null: return "null";
        case Kind::boolean: return "boolean";
        case Kind::number: return "number";
        case Kind::string: return "string";
        case Kind::date: return "date";
        case Kind::time: return "time";
        case Kind::date_time: return "date and time";
        case Kind::months: return "years and months duration";
        case Kind::seconds: return "days and time duration";
        case Kind::list: return "list";
        case Kind::context: return "context";
        case Kind::range: return "range";
        case Kind::function: return "function";
    }
    return "null";
}

std::uint32_t Value::height() const {
    if (const auto* list = get<List>()) return list->height();
    if (const auto* context = get<Context>()) return context->height();
    if (const auto* range = get<RangePointer>())
        return std::max((*range)->low.height(), (*range)->high.height()) + 1;
    const auto* function = get<FunctionPointer>();
    return function ? (*function)->height : 0;
}

void GrowingList::add(Value value) {
    if (!body_) body_ = std::make_shared<List::Body>();
    if (is_shared()) body_ = std::make_shared<List::Body>(*body_);
    body_->height = height_above(body_->height, value);
    body_->items.push_back(std::move(value));
}

std::size_t GrowingList::size() const { return body_ ? body_->items.size() : 0; }

bool GrowingList::is_shared() const { return body_ && body_.use_count() > 1; }

std::size_t GrowingList::capacity() const { return body_ ? body_->items.capacity() : 0; }

}  // namespace holdfast::feel
