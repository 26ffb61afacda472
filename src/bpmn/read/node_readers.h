// Readers of one element each, by family. All nodes of the process exist already, so that
// references can be resolved.
#pragma once

#include "bpmn/read/reading.h"

namespace holdfast::bpmn {

Event read_event(Reading& reading, Element element);
// Absent: not an event definition, or the problem is reported.
std::optional<Trigger> read_trigger(Reading& reading, Element definition);
std::optional<TimerTrigger> read_timer(Reading& reading, Element definition);

Task read_task(Reading& reading, Element element);
Gateway read_gateway(Reading& reading, Element element);
// Everything but `inside`.
void read_sub_process(Reading& reading, Element element, SubProcess& sub_process);
CallActivity read_call_activity(Reading& reading, Element element);

Activity read_activity(Reading& reading, Element element);
Loop read_loop(Reading& reading, Element element);

Assignment read_assignment(Reading& reading, Element element);
std::optional<Job> read_job(Reading& reading, Element element);
Mappings read_mappings(Reading& reading, Element element);
std::map<std::string, std::string> read_properties(Element element);

}  // namespace holdfast::bpmn
