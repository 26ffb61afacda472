// The kinds of nodes in the tree, one struct per construct of the language.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "feel/syntax/operator.h"
#include "feel/values/type.h"
#include "feel/values/value.h"

namespace holdfast::feel {

struct Builtin;
struct Node;
using NodePointer = std::unique_ptr<const Node>;
// An index into the frame of the function, or of the whole expression, that a node belongs to.
using Slot = std::uint32_t;

struct Literal {
    Value value;
};

// A name that the text itself binds: a parameter, a loop variable, an entry of a context.
struct LocalName {
    Slot slot = 0;
};

// A name that is resolved at evaluation. Inside filters the members of the items are searched
// first, the innermost filter's before the others'; then a local, the scope, the built-ins.
struct OuterName {
    std::string name;
    std::vector<Slot> items;
    std::optional<Slot> local;
    std::span<const Builtin> builtins;
};

// `name.member.member` where `name` comes from the scope: read without converting all of `name`.
struct VariablePath {
    std::string name;
    std::vector<std::string> members;
};

struct PathNode {
    NodePointer base;
    std::string member;
};

struct FilterNode {
    NodePointer base;
    NodePointer condition;
    Slot item = 0;
};

struct Argument {
    std::string name;  // empty: by position
    NodePointer value;
};

struct CallNode {
    NodePointer callee;
    std::vector<Argument> arguments;
};

// A call of a built-in function by its name.
struct BuiltinCallNode {
    std::span<const Builtin> builtins;
    std::vector<Argument> arguments;
};

struct NegationNode {
    NodePointer operand;
};

struct OperationNode {
    Operator sign = Operator::add;
    NodePointer left;
    NodePointer right;
};

struct LogicNode {
    enum class Form : std::uint8_t { conjunction, disjunction };

    Form form = Form::conjunction;
    NodePointer left;
    NodePointer right;
};

struct BetweenNode {
    NodePointer value;
    NodePointer low;
    NodePointer high;
};

// `value in (test, test, ...)`
struct MembershipNode {
    NodePointer value;
    std::vector<NodePointer> tests;
};

// `(< 10)`: all values below 10, as a range.
struct ComparisonNode {
    Range::Form form = Range::Form::less;
    NodePointer operand;
};

struct ConditionalNode {
    NodePointer condition;
    NodePointer yes;
    NodePointer no;
};

struct Iterator {
    Slot slot = 0;
    NodePointer domain;
    NodePointer end;  // of `1..10` without brackets; else null
};

struct IterationNode {
    std::vector<Iterator> iterators;
    NodePointer body;
    std::optional<Slot> partial;  // if the body mentions it
};

struct QuantifiedNode {
    enum class Form : std::uint8_t { some, every };

    Form form = Form::some;
    std::vector<Iterator> iterators;
    NodePointer condition;
};

struct FunctionNode {
    struct Parameter {
        std::string name;
        std::optional<Type> type;
    };
    struct Capture {
        Slot from = 0;  // in the frame around the definition
        Slot to = 0;    // in its own frame
    };

    std::vector<Parameter> parameters;  // in the first slots
    std::vector<Capture> captures;
    std::optional<Slot> self;  // holds the function itself, for recursion
    std::uint32_t frame_size = 0;
    NodePointer body;
};

struct ListNode {
    std::vector<NodePointer> items;
};

struct ContextNode {
    struct Item {
        Text name;
        Slot slot = 0;
        NodePointer value;
    };

    std::vector<Item> items;
};

struct RangeNode {
    NodePointer low;
    NodePointer high;
    bool low_included = true;
    bool high_included = true;
};

struct InstanceNode {
    NodePointer operand;
    Type type;
};

// Unary tests: whether the value in slot 0 passes one of them, or none if `negated`.
struct TestsNode {
    struct Test {
        NodePointer expression;
        bool mentions_input = false;  // it uses `?`: its own value says whether it passes
    };

    bool negated = false;
    std::vector<Test> tests;
};

}  // namespace holdfast::feel
