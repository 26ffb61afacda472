// Where events and waits meet: an event ends a wait only if tenant, name and correlation key are
// equal (001.21).
#pragma once

#include <compare>
#include <string>
#include <utility>

namespace holdfast {

// What a wait names and an event carries.
struct EventKey {
    std::string name;
    std::string correlation;  // empty: none

    EventKey() = default;
    // Not explicit: most waits are for a name alone.
    EventKey(std::string named, std::string correlated = {})
        : name(std::move(named)), correlation(std::move(correlated)) {}
    EventKey(const char* named) : name(named) {}

    auto operator<=>(const EventKey&) const = default;
    bool operator==(const EventKey&) const = default;
};

struct ChannelKey {
    std::string tenant;
    EventKey event;

    auto operator<=>(const ChannelKey&) const = default;
    bool operator==(const ChannelKey&) const = default;
};

}  // namespace holdfast
