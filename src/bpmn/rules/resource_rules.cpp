// Who performs an activity: a resource with parameters, or an expression, but not both.
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {

void check_resources(Document& document) {
    for (std::uint32_t i = 0; i < document.size(); ++i) {
        const Element element = document.at(i);
        if (!element.child("resourceAssignmentExpression")) continue;
        if (element.child("resourceRef") || element.child("resourceParameterBinding"))
            document.error(ProblemKind::resource, element,
                           "a resourceAssignmentExpression excludes resourceRef and "
                           "resourceParameterBinding");
    }
}

}  // namespace holdfast::bpmn
