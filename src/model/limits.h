// The limits of a definition: how many of its workflows may run at a time, and how often one may
// start. Who is over a limit waits for its turn (ADR 64).
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/document.h"
#include "base/result.h"

namespace holdfast {

inline constexpr std::uint32_t most_concurrent = 1'000;
inline constexpr std::uint32_t most_starts = 1'000'000;
inline constexpr std::uint8_t highest_priority = 9;

// One turn every `per` / `starts`; as many as `burst` at once after a time without any.
struct Rate {
    std::uint32_t starts = 1;
    std::chrono::microseconds per{std::chrono::seconds(1)};
    std::uint32_t burst = 1;

    std::chrono::microseconds pause() const { return per / starts; }

    bool operator==(const Rate&) const = default;
};

struct Limits {
    std::optional<std::uint32_t> concurrency;
    std::optional<Rate> rate;
    // What the workflows are counted by, each value alone: businessKey, or the path of a scalar,
    // state.PATH or arguments.PATH. Empty: all together.
    std::string key;

    bool is_set() const { return concurrency || rate; }

    bool operator==(const Limits&) const = default;
};

// {"concurrency": 5, "rate": "100/1m", "burst": 10, "key": "businessKey"}; each may be absent.
// invalid_argument names what is wrong.
Result<Limits> read_limits(const boost::json::object& object);
boost::json::object to_json(const Limits& limits);

// By what a workflow is counted that starts like this. Empty: with all that have no such value.
std::string limit_key_of(const Limits& limits, std::string_view business_key,
                         const json::Document& state, const json::Document& arguments);

}  // namespace holdfast
