#include "base/json/merge.h"

#include <algorithm>
#include <optional>

#include "base/json/patch.h"

namespace holdfast::json {

namespace {

using Place = std::vector<std::string>;

// A null pointer is an absent member.
bool same(const bj::value* a, const bj::value* b) {
    if (!a || !b) return a == b;
    return equal(*a, *b);
}

void collect_changes(const bj::value* before, const bj::value* after, Place& at,
                     std::vector<std::string>& paths) {
    const bj::object* old_object = before ? before->if_object() : nullptr;
    const bj::object* new_object = after ? after->if_object() : nullptr;
    if (!old_object || !new_object) {
        if (!same(before, after)) paths.push_back(to_pointer(at));
        return;
    }
    const auto compare_member = [&](bj::string_view key) {
        at.emplace_back(key);
        collect_changes(old_object->if_contains(key), new_object->if_contains(key), at, paths);
        at.pop_back();
    };
    for (const auto& member : *old_object) compare_member(member.key());
    for (const auto& member : *new_object)
        if (!old_object->contains(member.key())) compare_member(member.key());
}

class Merger {
public:
    // Absent: the member was removed, or both sides changed it differently (recorded in overlap_).
    std::optional<bj::value> merge(const bj::value* base, const bj::value* ours,
                                   const bj::value* theirs) {
        const bool both_objects = ours && theirs && ours->is_object() && theirs->is_object();
        if (both_objects && (!base || base->is_object()))
            return merge_objects(base ? base->get_object() : bj::object{}, ours->get_object(),
                                 theirs->get_object());
        if (same(ours, theirs) || same(base, theirs)) return copy_of(ours);
        if (same(base, ours)) return copy_of(theirs);
        overlap_.paths.push_back(to_pointer(at_));
        return std::nullopt;
    }

    Overlap take_overlap() {
        std::ranges::sort(overlap_.paths);
        return std::move(overlap_);
    }

private:
    static std::optional<bj::value> copy_of(const bj::value* value) {
        return value ? std::optional(*value) : std::nullopt;
    }

    bj::value merge_objects(const bj::object& base, const bj::object& ours,
                            const bj::object& theirs) {
        bj::object merged;
        const auto merge_member = [&](bj::string_view key) {
            at_.emplace_back(key);
            auto member =
                merge(base.if_contains(key), ours.if_contains(key), theirs.if_contains(key));
            if (member) merged.emplace(key, *std::move(member));
            at_.pop_back();
        };
        for (const auto& member : ours) merge_member(member.key());
        for (const auto& member : theirs)
            if (!ours.contains(member.key())) merge_member(member.key());
        return merged;
    }

    Place at_;
    Overlap overlap_;
};

}  // namespace

std::vector<std::string> changed_paths(const bj::value& before, const bj::value& after) {
    Place at;
    std::vector<std::string> paths;
    collect_changes(&before, &after, at, paths);
    std::ranges::sort(paths);
    return paths;
}

std::variant<bj::value, Overlap> merge(const bj::value& base, const bj::value& ours,
                                       const bj::value& theirs) {
    Merger merger;
    auto merged = merger.merge(&base, &ours, &theirs);
    Overlap overlap = merger.take_overlap();
    if (!overlap.paths.empty()) return overlap;
    return *std::move(merged);
}

}  // namespace holdfast::json
