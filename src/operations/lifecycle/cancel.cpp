#include "operations/lifecycle/cancel.h"

#include "operations/events/fan_out.h"
#include "operations/events/react.h"
#include "operations/lifecycle/ending.h"

namespace holdfast::op {

namespace {

// A round cancels so many at most: each is a load of all that was loaded before.
constexpr std::size_t most_generations = 64;

void read_member(ReadSet& reads, const InstanceId& id) {
    reads.instance(id, Depth::row);
    reads.children(id);
    read_end(reads, id);
}

}  // namespace

// Loads a generation at a time; the children of the last one are told by signals, each of which
// goes on from there.
Family open_descendants(const View& view, const InstanceId& root) {
    Family all;
    std::set<InstanceId> known{root};
    std::vector<InstanceId> generation{root};
    for (std::size_t depth = 0; !generation.empty(); ++depth) {
        if (depth == most_generations) {
            all.left.insert(all.left.end(), generation.begin(), generation.end());
            break;
        }
        std::vector<InstanceId> next;
        for (const InstanceId& parent : generation) {
            const auto children = view.children(parent);
            if (!children) all.left.push_back(parent);
            if (!children) continue;
            for (const InstanceId& child : *children)
                if (const Instance* found = view.find(child);
                    found && is_open(found->status) && known.insert(child).second)
                    next.push_back(child);
        }
        ReadSet needed;
        for (const InstanceId& child : next) read_member(needed, child);
        view.expect(needed);
        all.members.insert(all.members.end(), next.begin(), next.end());
        generation = std::move(next);
    }
    return all;
}

Family open_family(const View& view, const InstanceId& root) {
    Family family = open_descendants(view, root);
    family.members.insert(family.members.begin(), root);
    return family;
}

void cancel_all(View& view, const Family& family, const std::string& reason, const Cause& cause) {
    for (const InstanceId& parent : family.left)
        cancel_children_by_signals(view, parent, reason, cause);
    // One may have ended by the end of another.
    for (const InstanceId& id : family.members) {
        if (!is_open(view.find(id)->status)) continue;
        if (!reason.empty()) view.edit(id).cancel_reason = reason;
        react(view, id, stimulus::CancelRequested{reason}, cause);
    }
}

void reads(const Cancel& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::document);
    read_member(reads, op.instance);
}

Cancel::Outcome decide(const Cancel& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (op.expected && *op.expected != found->version)
        return refuse_stale(view, *found, *op.expected, op.cause);
    Instance before = *found;
    cancel_all(view, open_family(view, op.instance), op.reason, op.cause);
    const Instance& after = *view.find(op.instance);
    return Cancelled{std::move(before), after.version, after.status};
}

}  // namespace holdfast::op
