#include "model/schema/same_value.h"

#include <algorithm>
#include <unordered_map>

namespace holdfast::schema {
namespace {

// Multiplied by the depth of a state, this bounds the stack use of a check.
constexpr std::size_t longest_chain = 32;

std::vector<const Rule*> applied_with(const Rule& rule) {
    std::vector<const Rule*> rules{rule.reference};
    if (rule.object)
        for (const auto& dependency : rule.object->when_present) rules.push_back(dependency.second);
    if (const CombinedRule* combined = rule.combined.get()) {
        for (const auto* list : {&combined->all, &combined->any, &combined->one})
            rules.insert(rules.end(), list->begin(), list->end());
        rules.insert(rules.end(), {combined->never, combined->condition, combined->consequence,
                                   combined->alternative});
    }
    std::erase(rules, nullptr);
    return rules;
}

class Chains {
public:
    // The length of the longest chain from this rule. Absent: longer than allowed, or a cycle.
    std::optional<std::size_t> longest_from(const Rule& rule, std::size_t before) {
        constexpr std::size_t unfinished = 0;
        if (before == longest_chain) return std::nullopt;
        const auto [known, fresh] = lengths_.try_emplace(&rule, unfinished);
        if (!fresh && known->second == unfinished) return std::nullopt;
        if (!fresh) return known->second;
        std::size_t longest = 1;
        for (const Rule* next : applied_with(rule)) {
            const auto rest = longest_from(*next, before + 1);
            if (!rest || *rest == longest_chain) return std::nullopt;
            longest = std::max(longest, *rest + 1);
        }
        return lengths_[&rule] = longest;
    }

private:
    std::unordered_map<const Rule*, std::size_t> lengths_;
};

}  // namespace

bool applies_itself(const Program& program) {
    Chains chains;
    return std::ranges::any_of(program.rules,
                               [&](const Rule& rule) { return !chains.longest_from(rule, 0); });
}

}  // namespace holdfast::schema
