// 128-bit ids: text form, order, and the time-ordered version 7.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/time/moment.h"

namespace holdfast {

struct Uuid {
    std::array<std::uint8_t, 16> bytes{};

    auto operator<=>(const Uuid&) const = default;
};

std::string to_string(const Uuid& id);
// The 36-character form, any case. Absent: not a UUID.
std::optional<Uuid> parse_uuid(std::string_view text);
// Version 7: 48 bits of milliseconds, 12 bits of `random_high`, 12 bits for the cell, then
// `random_low`: ids made later sort later. Every id is made in cell 0 as long as there is one
// database.
Uuid make_uuid_v7(Moment at, std::uint64_t random_high, std::uint64_t random_low,
                  std::uint16_t cell = 0);
// Which database the owner of the id lives in.
std::uint16_t cell_of(const Uuid& id);
// The n-th id derived from `parent`: deterministic, in the same cell, and with the same time prefix
// so that it sorts next to it.
Uuid derive(const Uuid& parent, std::uint64_t n);

// A Uuid with a tag type: ids of different kinds do not mix.
template <class Tag>
struct Id {
    Uuid value;

    auto operator<=>(const Id&) const = default;
};

template <class Tag>
std::string to_string(const Id<Tag>& id) {
    return to_string(id.value);
}

using InstanceId = Id<struct InstanceTag>;
using OperationId = Id<struct OperationTag>;
using RoundId = Id<struct RoundTag>;
using ActivityInstanceId = Id<struct ActivityInstanceTag>;
using ScopeId = Id<struct ScopeTag>;
using ConditionId = Id<struct ConditionTag>;
using ForkId = Id<struct ForkTag>;
using TokenId = Id<struct TokenTag>;

template <class SomeId>
std::optional<SomeId> parse_id(std::string_view text) {
    if (auto uuid = parse_uuid(text)) return SomeId{*uuid};
    return std::nullopt;
}

}  // namespace holdfast

template <class Tag>
struct std::hash<holdfast::Id<Tag>> {
    std::size_t operator()(const holdfast::Id<Tag>& id) const noexcept {
        // The last 8 bytes of a version 7 id are random enough to hash by themselves.
        std::size_t tail = 0;
        for (int i = 8; i < 16; ++i) tail = tail << 8 | id.value.bytes[i];
        return tail * 0x9e3779b97f4a7c15ULL;
    }
};
