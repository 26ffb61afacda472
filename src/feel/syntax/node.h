// The parsed form of an expression: a tree whose names are resolved as far as the text allows.
// Immutable after parsing; any number of threads may evaluate it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "feel/syntax/forms.h"

namespace holdfast::feel {

struct Node {
    using Form =
        std::variant<Literal, LocalName, OuterName, VariablePath, OperationNode, LogicNode,
                     PathNode, FilterNode, CallNode, BuiltinCallNode, NegationNode, BetweenNode,
                     MembershipNode, ComparisonNode, ConditionalNode, IterationNode, QuantifiedNode,
                     FunctionNode, ListNode, ContextNode, RangeNode, InstanceNode, TestsNode>;

    Form form;
    std::uint32_t offset = 0;  // in the text
    std::uint32_t height = 1;  // levels of nodes, itself included
};

struct Program {
    std::string text;
    std::uint32_t frame_size = 0;
    NodePointer root;
};

}  // namespace holdfast::feel
