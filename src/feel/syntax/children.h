// Visits the direct children of a node.
#pragma once

#include "feel/syntax/node.h"

namespace holdfast::feel {

template <class Visit>
struct ChildVisitor {
    Visit visit;

    void operator()(const Literal&) const {}
    void operator()(const LocalName&) const {}
    void operator()(const OuterName&) const {}
    void operator()(const VariablePath&) const {}
    void operator()(const OperationNode& node) const { all(node.left, node.right); }
    void operator()(const LogicNode& node) const { all(node.left, node.right); }
    void operator()(const PathNode& node) const { all(node.base); }
    void operator()(const FilterNode& node) const { all(node.base, node.condition); }
    void operator()(const CallNode& node) const {
        all(node.callee);
        for (const Argument& argument : node.arguments) all(argument.value);
    }
    void operator()(const BuiltinCallNode& node) const {
        for (const Argument& argument : node.arguments) all(argument.value);
    }
    void operator()(const NegationNode& node) const { all(node.operand); }
    void operator()(const BetweenNode& node) const { all(node.value, node.low, node.high); }
    void operator()(const MembershipNode& node) const {
        all(node.value);
        for (const NodePointer& test : node.tests) all(test);
    }
    void operator()(const ComparisonNode& node) const { all(node.operand); }
    void operator()(const ConditionalNode& node) const { all(node.condition, node.yes, node.no); }
    void operator()(const IterationNode& node) const {
        iterators(node.iterators);
        all(node.body);
    }
    void operator()(const QuantifiedNode& node) const {
        iterators(node.iterators);
        all(node.condition);
    }
    void operator()(const FunctionNode& node) const { all(node.body); }
    void operator()(const ListNode& node) const {
        for (const NodePointer& item : node.items) all(item);
    }
    void operator()(const ContextNode& node) const {
        for (const ContextNode::Item& item : node.items) all(item.value);
    }
    void operator()(const RangeNode& node) const { all(node.low, node.high); }
    void operator()(const InstanceNode& node) const { all(node.operand); }
    void operator()(const TestsNode& node) const {
        for (const TestsNode::Test& test : node.tests) all(test.expression);
    }

private:
    void iterators(const std::vector<Iterator>& list) const {
        for (const Iterator& iterator : list) all(iterator.domain, iterator.end);
    }
    template <class... Pointers>
    void all(const Pointers&... pointers) const {
        ((pointers ? visit(*pointers) : void()), ...);
    }
};

template <class Visit>
void for_each_child(const Node::Form& form, Visit visit) {
    std::visit(ChildVisitor<Visit>{std::move(visit)}, form);
}

}  // namespace holdfast::feel
