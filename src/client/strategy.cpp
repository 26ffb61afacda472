#include "base/json/merge.h"
#include "holdfast/client.h"

namespace holdfast::client {
namespace {

using Resolved = std::variant<Json, Conflict>;

struct Resolver {
    const Json& base;
    const Json& mine;
    const Conflict& conflict;

    Resolved operator()(const Reapply&) const { return conflict; }
    Resolved operator()(const ClientWins&) const { return mine; }
    Resolved operator()(const ServerWins&) const { return conflict.current_state; }

    Resolved operator()(const Merge&) const {
        auto merged = json::merge(base, conflict.current_state, mine);
        if (auto* state = std::get_if<Json>(&merged)) return std::move(*state);
        Conflict overlap = conflict;
        overlap.resolution = "overlapping";
        overlap.paths = std::move(std::get<json::Overlap>(merged).paths);
        overlap.message = "both changes touch the listed paths; resolve them and retry";
        return overlap;
    }

    Resolved operator()(const CustomMerge& merge) const {
        auto state = merge(base, conflict.current_state, mine);
        if (state) return *std::move(state);
        return conflict;
    }
};

}  // namespace

std::variant<Json, Conflict> resolve(const Strategy& strategy, const Json& base, const Json& mine,
                                     const Conflict& conflict) {
    return std::visit(Resolver{base, mine, conflict}, strategy);
}

}  // namespace holdfast::client
