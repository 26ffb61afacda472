#include "operations/lifecycle/cancel.h"

#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "operations/events/deliver.h"
#include "operations/lifecycle/ending.h"

namespace holdfast::op {

namespace bj = boost::json;

namespace {

Ending cancelled_ending(const std::string& reason) {
    return {.status = Status::cancelled,
            .type = HistoryType::cancelled,
            .payload = json::canonical(bj::object{{"reason", reason}})};
}

// A program with registered undos may run its rollback, once; a second cancel ends it at once.
bool can_unwind(const Instance& instance) {
    return instance.program && instance.program->rollback && !instance.program->unwinding &&
           !instance.program->buried;
}

// Every open instance below this one, parents before children; LoadMore until all of them were
// read.
std::expected<std::vector<InstanceId>, LoadMore> open_family(const View& view,
                                                             const InstanceId& root) {
    std::vector<InstanceId> family{root};
    std::set<InstanceId> members{root};
    LoadMore more;
    bool missing = false;
    for (std::size_t i = 0; i < family.size(); ++i) {
        if (!view.has_children(family[i])) {
            more.also.children(family[i]);
            read_end(more.also, family[i]);
            more.also.instance(family[i], Depth::row);
            missing = true;
            continue;
        }
        for (const InstanceId& child : view.children(family[i]))
            if (const Instance* found = view.find(child);
                found && is_open(found->status) && members.insert(child).second)
                family.push_back(child);
    }
    if (missing) return std::unexpected(std::move(more));
    return family;
}

}  // namespace

void reads(const Cancel& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::document);
    reads.children(op.instance);
    read_end(reads, op.instance);
}

Decision<Cancel> decide(const Cancel& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (op.expected && *op.expected != found->version)
        return refuse_stale(view, *found, *op.expected, op.cause);
    auto family = open_family(view, op.instance);
    if (!family) return std::unexpected(std::move(family.error()));

    if (auto can = can_end(view, *family); !can) return std::unexpected(std::move(can.error()));

    Instance before = *found;
    for (const InstanceId& member : *family)
        if (can_unwind(*view.find(member)))
            deliver_cancellation(view, member, op.reason, op.cause);
        else
            end_instance(view, member, cancelled_ending(op.reason), op.cause);
    return Cancelled{std::move(before), view.find(op.instance)->version};
}

bj::object to_json(const Cancel& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"clientKey", to_json(op.client_key)},
            {"instance", to_string(op.instance)},
            {"expected", op.expected ? bj::value(*op.expected) : bj::value(nullptr)},
            {"reason", op.reason}};
}

bj::object to_json(const Cancelled& outcome) {
    return named("cancelled", {{"before", to_json(outcome.before)}, {"version", outcome.version}});
}

Result<Cancelled> cancelled_from_json(const bj::value& value) {
    auto before = instance_from_json(value.at("before"));
    if (!before) return std::unexpected(before.error());
    return Cancelled{*std::move(before), value.at("version").to_number<Version>()};
}

}  // namespace holdfast::op
