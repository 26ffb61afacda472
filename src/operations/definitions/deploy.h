// Puts several definitions at once: all of them in one commit, or none.
#pragma once

#include <variant>
#include <vector>

#include "operations/definitions/define.h"

namespace holdfast::op {

struct Deployed {
    static constexpr std::string_view name = "deployed";

    std::vector<Defined> definitions;  // in the order of the parts

    static void describe(auto& outcome, auto& with) { with("definitions", outcome.definitions); }
};

struct Deploy {
    static constexpr std::string_view name = "deploy";
    using Outcome = std::variant<Deployed>;

    Cause cause;
    std::vector<Define> parts;  // of different keys; their own causes do not count

    std::size_t shard() const { return parts.empty() ? 0 : parts.front().shard(); }
    static void describe(auto& op, auto& with) { with("parts", op.parts); }
};

void reads(const Deploy& op, ReadSet& reads);
Deploy::Outcome decide(const Deploy& op, View& view);

}  // namespace holdfast::op
