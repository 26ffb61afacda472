#include "operations/schedules/put_schedule.h"

#include <boost/json.hpp>

#include "operations/definitions/define.h"
#include "operations/events/react.h"
#include "operations/schedules/asked.h"
#include "program/kinds.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

// The first schedule of a tenant brings it.
std::shared_ptr<const Definition> definition_for(const PutSchedule& op, View& view) {
    const std::string key(schedule_definition);
    const Definition* newest = view.newest_definition({op.cause.tenant(), key});
    if (newest && is_for_schedules(*newest)) return std::make_shared<const Definition>(*newest);
    const Define wanted{.cause = op.cause,
                        .key = key,
                        .kind = std::string(schedule_kind),
                        .program = schedule_program()};
    return define(view, wanted, op.cause).definition;
}

PutSchedule::Outcome create(const PutSchedule& op, View& view) {
    const auto definition = definition_for(op, view);
    if (definition->disabled) return DisabledDefinition{definition->ref.key};
    Instance instance{.id = op.instance(), .business = {.key = op.schedule, .parts = {}}};
    instance.state = schedule::first_state(op.spec.value());
    if (auto wrong = definition->program->check_state({}, instance.state); !wrong.empty())
        return InvalidState{std::move(wrong)};
    const Document nothing;
    return SchedulePut{begin_instance(view, *definition, std::move(instance),
                                      stimulus::Started{nothing}, op.cause),
                       true};
}

PutSchedule::Outcome change(const PutSchedule& op, View& view, const Instance& found) {
    if (auto wrong = view.program(found).check_state({}, schedule::first_state(op.spec.value()));
        !wrong.empty())
        return InvalidState{std::move(wrong)};
    const auto stored = schedule::read_schedule(found);
    if (stored && Document::of(stored->spec_text) == op.spec) return SchedulePut{found, false};
    const Document request = Document::of(bj::object{{"do", "update"}, {"spec", op.spec.value()}});
    view.edit(op.instance()).last_modified_by = op.cause.caller.user;
    const auto refused =
        react_unless_refused(view, op.instance(), asked_by(request, op.cause), op.cause);
    HF_ASSERT(!refused, "what a schedule may be was checked before");
    return SchedulePut{*view.find(op.instance()), false};
}

}  // namespace

void reads(const PutSchedule& op, ReadSet& reads) {
    reads.instance(op.instance(), Depth::document, Past::looked_up);
    reads.definition({op.cause.tenant(), std::string(schedule_definition)});
}

PutSchedule::Outcome decide(const PutSchedule& op, View& view) {
    const Instance* found = view.find(op.instance());
    if (!found && (op.expected || op.must_exist)) return NotFound{};
    if (!found) return create(op, view);
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (op.only_new) return ScheduleExists{found->version};
    if (op.expected && *op.expected != found->version)
        return refuse_stale(view, *found, *op.expected, op.cause);
    return change(op, view, *found);
}

}  // namespace holdfast::op
