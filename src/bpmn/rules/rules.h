// The rules of a model, one file per topic. Each reports what it finds; none depends on another.
#pragma once

#include "bpmn/model.h"
#include "bpmn/read/reading.h"

namespace holdfast::bpmn {

// On the document as a whole.
void check_document(Document& document);
void check_structure(Document& document);       // elements, attributes, ids
void check_references(Document& document);      // what ids refer to
void check_expressions(Document& document);     // formal, not empty, a known language
void check_items(Document& document);           // data objects, inputs, outputs, associations
void check_operations(Document& document);      // operations of services and their messages
void check_resources(Document& document);       // performers
void check_collaborations(Document& document);  // pools, message flows, choreographies
void check_extensions(Document& document);      // of vendors

// On one process, as a graph.
void check_process(Reading& reading, Element process);
void check_flows(Reading& reading);
void check_gateways(Reading& reading);
void check_events(Reading& reading);
void check_event_definitions(Reading& reading);
void check_boundary_events(Reading& reading);
void check_links(Reading& reading);
void check_compensation(Reading& reading);
void check_scopes(Reading& reading);
void check_tasks(Reading& reading);
void check_starts(Reading& reading);

// On calls between the processes of the document.
void check_calls(Document& document, const Model& model);

}  // namespace holdfast::bpmn
