#include "bpmn/problem.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace holdfast::bpmn {
namespace {

constexpr std::array<std::string_view, problem_kinds> kind_names{
    "too_large",
    "bad_encoding",
    "doctype",
    "malformed_xml",
    "too_deep",
    "too_many_elements",
    "not_bpmn",
    "unknown_element",
    "unknown_attribute",
    "bad_value",
    "missing_id",
    "duplicate_id",
    "missing_reference",
    "wrong_reference",
    "no_executable_process",
    "process",
    "sequence_flow",
    "gateway",
    "start_event",
    "end_event",
    "intermediate_event",
    "boundary_event",
    "event_definition",
    "link",
    "timer",
    "message",
    "signal",
    "error",
    "escalation",
    "condition",
    "compensation",
    "activity",
    "loop",
    "sub_process",
    "call_activity",
    "script",
    "expression",
    "item",
    "resource",
    "collaboration",
    "choreography",
    "extension",
    "unknown_extension",
    "ignored",
    "unsupported",
    "too_many_problems",
};
static_assert(!kind_names.back().empty());

// At the beginning of a character.
void shorten(std::string& text) {
    if (text.size() <= Problems::most_bytes) return;
    std::size_t end = Problems::most_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
    text.resize(end);
    text += "...";
}

}  // namespace

std::string_view name_of(ProblemKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::string text_of(const Problem& problem) {
    std::string text = problem.severity == Severity::warning ? "warning: " : "";
    if (problem.line > 0) text += "line " + std::to_string(problem.line);
    if (!problem.element.empty()) text += (problem.line > 0 ? ", " : "") + problem.element;
    if (problem.line > 0 || !problem.element.empty()) text += ": ";
    return text + problem.message + " [" + std::string(name_of(problem.kind)) + "]";
}

void Problems::add(Problem problem) {
    shorten(problem.element);
    shorten(problem.message);
    std::size_t& count = problem.severity == Severity::error ? errors_ : warnings_;
    if (++count <= most) {
        found_.push_back(std::move(problem));
    } else if (count == most + 1) {
        found_.push_back(
            {.kind = ProblemKind::too_many_problems,
             .severity = problem.severity,
             .line = UINT32_MAX,
             .element = {},
             .message = "there are more; only the first " + std::to_string(most) + " are listed"});
    }
}

std::vector<Problem> Problems::take() {
    // Problems of one line stay in the order in which they were found.
    std::vector<std::size_t> order(found_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(found_[i].line, i); });
    std::vector<Problem> sorted;
    sorted.reserve(found_.size());
    for (const std::size_t i : order) sorted.push_back(std::move(found_[i]));
    for (Problem& problem : sorted)
        if (problem.kind == ProblemKind::too_many_problems) problem.line = 0;
    found_.clear();
    return sorted;
}

}  // namespace holdfast::bpmn
