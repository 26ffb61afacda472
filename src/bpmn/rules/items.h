// Item definitions of data: which one an element has, and which are equal.
#pragma once

#include "bpmn/read/document.h"

namespace holdfast::bpmn {

// By itemSubjectRef, itemRef or structureRef; of a reference to a data object, that of the object.
std::optional<Element> item_of(const Document& document, std::optional<Element> element);

// The same definition, or two of the same structure. Absent ones equal nothing.
bool same_item(const std::optional<Element>& a, const std::optional<Element>& b);

}  // namespace holdfast::bpmn
