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

void read_member(ReadSet& reads, const InstanceId& id) {
    reads.instance(id, Depth::row);
    reads.children(id);
    read_end(reads, id);
}

}  // namespace

// Loads a generation at a time.
std::vector<InstanceId> open_descendants(const View& view, const InstanceId& root) {
    std::vector<InstanceId> all;
    std::set<InstanceId> known{root};
    std::vector<InstanceId> generation{root};
    while (!generation.empty()) {
        std::vector<InstanceId> next;
        for (const InstanceId& parent : generation)
            for (const InstanceId& child : view.children(parent))
                if (const Instance* found = view.find(child);
                    found && is_open(found->status) && known.insert(child).second)
                    next.push_back(child);
        ReadSet needed;
        for (const InstanceId& child : next) read_member(needed, child);
        view.expect(needed);
        all.insert(all.end(), next.begin(), next.end());
        generation = std::move(next);
    }
    return all;
}

void cancel_all(View& view, const std::vector<InstanceId>& ids, const std::string& reason,
                const Cause& cause) {
    for (const InstanceId& id : ids)
        if (can_unwind(*view.find(id)))
            deliver_cancellation(view, id, reason, cause);
        else
            end_instance(view, id, cancelled_ending(reason), cause);
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
    std::vector<InstanceId> family = open_descendants(view, op.instance);
    family.insert(family.begin(), op.instance);
    cancel_all(view, family, op.reason, op.cause);
    const Instance& after = *view.find(op.instance);
    return Cancelled{std::move(before), after.version, after.status};
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
    return named("cancelled", {{"before", to_json(outcome.before)},
                               {"version", outcome.version},
                               {"status", name_of(outcome.status)}});
}

Result<Cancelled> cancelled_from_json(const bj::value& value) {
    auto before = instance_from_json(value.at("before"));
    if (!before) return std::unexpected(before.error());
    Cancelled cancelled{*std::move(before), value.at("version").to_number<Version>()};
    // Outcomes that were stored before they had a status have none.
    if (const auto* status = value.as_object().if_contains("status"))
        cancelled.status = parse_status(status->as_string()).value_or(Status::cancelled);
    return cancelled;
}

}  // namespace holdfast::op
