// Limits of an XML document. They are checked before the document is parsed: parsing needs about
// eight times the size of the text, and reading recurses as deep as elements nest.
#pragma once

#include <cstddef>

namespace holdfast::bpmn {

struct XmlLimits {
    std::size_t bytes = 10 << 20;
    std::size_t elements = 200'000;
    std::size_t attributes = 1'000'000;
    std::size_t attributes_of_element = 100;
    std::size_t namespaces = 200;  // declared around one element
    std::size_t depth = 100;
};

}  // namespace holdfast::bpmn
