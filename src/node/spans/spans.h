// The spans of a workflow, made from its history, and their form for a collector (OTLP in JSON).
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "model/history.h"
#include "model/instance.h"

namespace holdfast {

// Ids as in the trace context.
struct Span {
    std::string trace;
    std::string id;
    std::string parent;  // empty: none
    std::string name;
    Moment begin;
    Moment end;
    boost::json::object attributes;
    std::string error;  // empty: none

    bool operator==(const Span&) const = default;
};

// The trace that a workflow belongs to, and what its span is within.
struct TracePlace {
    std::string trace;
    std::string parent;  // empty: it is the root
};

std::string span_id_of(const InstanceId& workflow);

// One for the workflow, then those of its steps and waits, whose parent it is. A step begins with
// the row before it: what happens within is not written down before its end.
std::vector<Span> spans_of(const Instance& workflow, const std::vector<HistoryRow>& rows,
                           const TracePlace& place);

boost::json::object otlp_of(const std::vector<Span>& spans, const std::string& node);

}  // namespace holdfast
