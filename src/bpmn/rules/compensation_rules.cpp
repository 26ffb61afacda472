// Compensation: boundary events have a handler, handlers are marked, throw events name activities
// that can be compensated.
#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

class CompensationRules {
public:
    explicit CompensationRules(Reading& reading)
        : reading_(reading), document_(reading.document), process_(reading.process) {}

    void check() {
        for (std::uint32_t i = 0; i < process_.nodes.size(); ++i) {
            const Event* event = process_.nodes[i].event();
            if (!event) continue;
            for (const Trigger& trigger : event->triggers)
                if (const auto* compensation = std::get_if<CompensationTrigger>(&trigger))
                    check_event(FlowNodeId{i}, *event, *compensation);
        }
    }

private:
    void check_event(FlowNodeId id, const Event& event, const CompensationTrigger& trigger) {
        if (event.position == Event::Position::boundary) check_boundary(id, event);
        const bool throws = event.position == Event::Position::intermediate_throw ||
                            event.position == Event::Position::end;
        if (throws && trigger.activity) check_target(id, *trigger.activity);
    }

    void check_boundary(FlowNodeId id, const Event& event) {
        if (!event.attached_to) return;
        const Element element = reading_.elements[id.index];
        const auto handler = process_[*event.attached_to].activity.compensation_handler;
        if (!handler)
            return document_.error(ProblemKind::compensation, element,
                                   "no association leads to a compensation activity");
        const FlowNode& node = process_[*handler];
        if (!node.activity.for_compensation)
            document_.error(ProblemKind::compensation, element,
                            node.id + " handles compensation, so it needs isForCompensation");
    }

    void check_target(FlowNodeId id, FlowNodeId activity) {
        const FlowNode& target = process_[activity];
        const bool inner = target.sub_process() || target.call_activity();
        if (!inner && !target.activity.compensation_handler)
            document_.error(ProblemKind::compensation, reading_.elements[id.index],
                            target.id + " has no compensation handler");
    }

    Reading& reading_;
    Document& document_;
    const Process& process_;
};

}  // namespace

void check_compensation(Reading& reading) { CompensationRules(reading).check(); }

}  // namespace holdfast::bpmn
