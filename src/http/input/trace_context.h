// W3C trace context: where a request stands in the trace of its caller.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::http {

// Lower-case hexadecimal, as in the header `traceparent`.
struct TraceContext {
    std::string trace;  // 32 digits, not all zero
    std::string span;   // 16 digits, not all zero: of the caller
    bool sampled = false;

    bool operator==(const TraceContext&) const = default;
};

// Absent: not a `traceparent`. One of a later version is read as far as this one knows it.
std::optional<TraceContext> parse_traceparent(std::string_view text);

}  // namespace holdfast::http
