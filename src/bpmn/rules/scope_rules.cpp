// Processes and sub-processes as a whole: start and end events, and what is not connected.
#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

class ScopeRules {
public:
    ScopeRules(Reading& reading, ScopeId scope)
        : reading_(reading),
          document_(reading.document),
          process_(reading.process),
          scope_(reading.process[scope]),
          element_(reading.scope_elements[scope.index]) {
        for (const FlowNodeId id : scope_.nodes) {
            const Element node = reading.elements[id.index];
            starts_ += node.is("startEvent") ? 1 : 0;
            ends_ += node.is("endEvent") ? 1 : 0;
            activities_ += is_activity(node) ? 1 : 0;
        }
    }

    void check() {
        if (element_.is("adHocSubProcess") && !is_event_sub_process(element_))
            return check_ad_hoc();
        if (is_event_sub_process(element_)) {
            if (starts_ != 1) refuse("an event sub-process has exactly one start event");
        } else {
            check_starts_of_scope();
        }
        check_ends();
        for (const FlowNodeId id : scope_.nodes) check_connected(id);
    }

private:
    void refuse(std::string message) {
        document_.error(ProblemKind::sub_process, element_, std::move(message));
    }

    void check_ad_hoc() {
        if (activities_ == 0) refuse("an ad-hoc sub-process needs an activity");
        if (starts_ > 0 || ends_ > 0)
            refuse("an ad-hoc sub-process has no start and no end events");
    }

    void check_starts_of_scope() {
        const ProblemKind kind =
            element_.is("process") ? ProblemKind::process : ProblemKind::sub_process;
        const bool starts = starts_ > 0 || !scope_.triggered_starts.empty();
        if (!starts)
            document_.error(kind, element_, std::string(element_.name()) + " needs a start event");
        if (!element_.is("process") && starts_ > 1) refuse("a sub-process has one start event");
        std::size_t none = 0;
        for (const FlowNodeId id : scope_.entries)
            none +=
                process_[id].event() && process_[id].event()->position == Event::Position::start;
        if (none > 1 && element_.is("process"))
            document_.error(kind, element_, "a process has one start event without a trigger");
    }

    // The standard wants end events where there are start events. Without one, a token ends where
    // no flow leads on.
    void check_ends() {
        if (document_.is_strict() && starts_ > 0 && ends_ == 0)
            document_.error(ProblemKind::end_event, element_,
                            "it has a start event, so it needs an end event");
    }

    // With a start event, what has no incoming flow never begins.
    void check_connected(FlowNodeId id) {
        const FlowNode& node = process_[id];
        const Element element = reading_.elements[id.index];
        if (node.event() || is_event_sub_process(element) || node.activity.for_compensation) return;
        const bool instantiates = element.flag("instantiate");
        if (starts_ > 0 && node.incoming.empty() && !instantiates) {
            if (document_.is_strict())
                document_.error(ProblemKind::sequence_flow, element,
                                "it has no incoming flow: it would never begin");
            else
                document_.warn(ProblemKind::ignored, element, "it is never reached");
        }
        if (document_.is_strict() && ends_ > 0 && node.outgoing.empty())
            document_.error(ProblemKind::sequence_flow, element,
                            "it has no outgoing flow, but its scope has end events");
    }

    Reading& reading_;
    Document& document_;
    const Process& process_;
    const Scope& scope_;
    Element element_;
    int starts_ = 0;
    int ends_ = 0;
    int activities_ = 0;
};

}  // namespace

void check_scopes(Reading& reading) {
    for (std::uint32_t i = 0; i < reading.process.scopes.size(); ++i)
        ScopeRules(reading, ScopeId{i}).check();
}

}  // namespace holdfast::bpmn
