// Dense numbers of the parts of one process. They index its vectors and mean nothing outside of
// the compiled version: what is stored names elements by their ids.
#pragma once

#include <compare>
#include <cstdint>

namespace holdfast::bpmn {

template <class Of>
struct DenseId {
    std::uint32_t index = 0;

    auto operator<=>(const DenseId&) const = default;
};

using FlowNodeId = DenseId<struct FlowNode>;
using FlowId = DenseId<struct SequenceFlow>;
using ScopeId = DenseId<struct Scope>;
using MessageId = DenseId<struct Message>;
using SignalId = DenseId<struct Signal>;
using ErrorId = DenseId<struct BpmnError>;
using EscalationId = DenseId<struct Escalation>;
using LaneId = DenseId<struct Lane>;

}  // namespace holdfast::bpmn
