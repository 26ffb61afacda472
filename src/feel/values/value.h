// A FEEL value: immutable, cheap to copy, safe to share between threads.
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "feel/temporal/temporal.h"
#include "feel/values/decimal.h"
#include "feel/values/text.h"

namespace holdfast::feel {

class Value;
struct Entry;
struct Range;
struct Function;

struct Null {
    bool operator==(const Null&) const = default;
};

class List {
public:
    List() = default;
    explicit List(std::vector<Value> items);

    std::size_t size() const;
    bool empty() const { return size() == 0; }
    // `index` counts from 0.
    const Value& operator[](std::size_t index) const;
    std::span<const Value> items() const;
    const Value* begin() const;
    const Value* end() const;
    // Levels of nesting, itself included.
    std::uint32_t height() const;
    // The same list in memory.
    bool is(const List& other) const { return body_ == other.body_; }

private:
    friend class GrowingList;
    struct Body;
    explicit List(std::shared_ptr<const Body> body) : body_(std::move(body)) {}

    std::shared_ptr<const Body> body_;
};

// Names with values, in the order they were given; a name occurs once.
class Context {
public:
    Context() = default;
    explicit Context(std::vector<Entry> entries);

    std::span<const Entry> entries() const;
    std::size_t size() const { return entries().size(); }
    const Entry* begin() const;
    const Entry* end() const;
    // Null pointer: no such entry.
    const Value* find(std::string_view name) const;
    std::uint32_t height() const;
    bool is(const Context& other) const { return body_ == other.body_; }

private:
    struct Body;
    std::shared_ptr<const Body> body_;
};

using RangePointer = std::shared_ptr<const Range>;
using FunctionPointer = std::shared_ptr<const Function>;

// In the order of Value's variant.
enum class Kind : std::uint8_t {
    null,
    boolean,
    number,
    string,
    date,
    time,
    date_time,
    months,   // years and months duration
    seconds,  // days and time duration
    list,
    context,
    range,
    function,
};

// As FEEL names it, such as "days and time duration".
std::string_view name_of(Kind kind);

class Value {
public:
    using Form = std::variant<Null, bool, Decimal, Text, Date, Time, DateTime, Months, Seconds,
                              List, Context, RangePointer, FunctionPointer>;

    Value() = default;
    template <class T>
        requires(!std::same_as<std::remove_cvref_t<T>, Value> &&
                 requires(Form& form) { form.template emplace<std::remove_cvref_t<T>>(); })
    Value(T&& form)  // NOLINT: what a value can hold is a value
        : form_(std::in_place_type<std::remove_cvref_t<T>>, std::forward<T>(form)) {}

    Kind kind() const { return static_cast<Kind>(form_.index()); }
    bool is_null() const { return form_.index() == 0; }
    bool is_true() const {
        const bool* truth = std::get_if<bool>(&form_);
        return truth && *truth;
    }
    template <class T>
    const T* get() const {
        return std::get_if<T>(&form_);
    }
    const Form& form() const { return form_; }
    // 0 for a value that holds no other values.
    std::uint32_t height() const;

private:
    Form form_;
};

struct Entry {
    Text name;
    Value value;
};

// An interval, or the values that satisfy a comparison, as in (< 10).
struct Range {
    enum class Form : std::uint8_t {
        interval,
        less,
        at_most,
        greater,
        at_least,
        equal,
        unequal,
    };

    Form form = Form::interval;
    Value low;
    Value high;
    bool low_included = true;
    bool high_included = true;
};

// A list that a loop appends to. A list returned by `list()` does not change: if it is still in
// use, the next add copies the items.
class GrowingList {
public:
    void add(Value value);
    std::size_t size() const;
    // Whether the next add copies the items.
    bool is_shared() const;
    std::size_t capacity() const;
    List list() const { return List(body_); }

private:
    std::shared_ptr<List::Body> body_;
};

}  // namespace holdfast::feel
