// Which BPMN element names belong to which family.
#pragma once

#include "bpmn/xml/element.h"

namespace holdfast::bpmn {

bool is_task(Element element);
bool is_sub_process(Element element);
bool is_activity(Element element);  // tasks, sub-processes, call activities
bool is_gateway(Element element);
bool is_event(Element element);
bool is_flow_node(Element element);
bool is_event_definition(Element element);
bool is_global_task(Element element);
bool is_artifact(Element element);
bool is_choreography_activity(Element element);
// Data objects, properties, data inputs and so on: what holds a value.
bool is_item_aware(Element element);
bool is_throw_event(Element element);
bool is_event_sub_process(Element element);

}  // namespace holdfast::bpmn
