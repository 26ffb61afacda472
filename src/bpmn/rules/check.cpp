#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {

void check_document(Document& document) {
    for (const auto check :
         {check_structure, check_references, check_expressions, check_items, check_operations,
          check_resources, check_collaborations, check_extensions})
        if (!document.is_hopeless()) check(document);
}

void check_process(Reading& reading, Element process) {
    if (process.flag("isExecutable") && process.attribute("processType") == "Public")
        reading.document.error(ProblemKind::process, process,
                               "a public process cannot be executable");
    check_flows(reading);
    check_gateways(reading);
    check_events(reading);
    check_event_definitions(reading);
    check_boundary_events(reading);
    check_links(reading);
    check_compensation(reading);
    check_scopes(reading);
    check_tasks(reading);
    check_starts(reading);
}

}  // namespace holdfast::bpmn
