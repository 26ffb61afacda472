// The built-in functions: tables with one row per signature. The reference page is generated from
// them.
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string_view>

#include "feel/values/value.h"

namespace holdfast::feel {

class Call;

// What an argument must be. A list of one item is accepted for the item, and the item for the list.
enum class Want : std::uint8_t {
    anything,  // null too
    value,     // anything but null
    boolean,
    number,
    string,
    list,
    context,
    range,
    function,
    duration,      // days and time
    date_or_time,  // a date, or a date and time
};

std::string_view name_of(Want want);

enum class Given : std::uint8_t {
    always,
    maybe,  // may be omitted, or null
};

struct Parameter {
    std::string_view name;
    Want want = Want::anything;
    Given given = Given::always;
};
inline constexpr Parameter list_parameter = {"list", Want::list};

class Parameters {
public:
    constexpr Parameters(std::initializer_list<Parameter> list) {
        for (const Parameter& parameter : list) list_[size_++] = parameter;
    }
    constexpr const Parameter* begin() const { return list_.data(); }
    constexpr const Parameter* end() const { return list_.data() + size_; }
    constexpr std::size_t size() const { return size_; }
    constexpr const Parameter& operator[](std::size_t index) const { return list_[index]; }

private:
    std::array<Parameter, 4> list_{};
    std::size_t size_ = 0;
};

enum class Repeat : std::uint8_t {
    none,
    last,  // the last parameter may be repeated, by position
};

struct Builtin {
    std::string_view name;
    Parameters parameters;
    Value (*run)(Call& call);
    std::string_view about;
    std::string_view example;
    Repeat repeat = Repeat::none;

    std::size_t fewest() const;
    bool takes(std::size_t arguments) const;
};

struct BuiltinGroup {
    std::string_view title;
    std::span<const Builtin> rows;  // overloads of one name are adjacent
};

std::span<const Builtin> boolean_builtins();
std::span<const Builtin> string_builtins();
std::span<const Builtin> list_builtins();
std::span<const Builtin> list_change_builtins();
std::span<const Builtin> numeric_builtins();
std::span<const Builtin> temporal_builtins();
std::span<const Builtin> conversion_builtins();
std::span<const Builtin> context_builtins();
std::span<const Builtin> range_builtins();

std::span<const BuiltinGroup> builtin_groups();
std::span<const Builtin> all_builtins();
// The rows of this name; empty if there is none.
std::span<const Builtin> find_builtins(std::string_view name);

}  // namespace holdfast::feel
