// What is wrong with a model: one problem per place, with the id and the line of its element.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::bpmn {

// The topic of a problem; docs/reference/bpmn.md lists them all.
enum class ProblemKind : std::uint8_t {
    too_large,
    bad_encoding,
    doctype,
    malformed_xml,
    too_deep,
    too_many_elements,
    not_bpmn,
    unknown_element,
    unknown_attribute,
    bad_value,
    missing_id,
    duplicate_id,
    missing_reference,
    wrong_reference,
    no_executable_process,
    process,
    sequence_flow,
    gateway,
    start_event,
    end_event,
    intermediate_event,
    boundary_event,
    event_definition,
    link,
    timer,
    message,
    signal,
    error,
    escalation,
    condition,
    compensation,
    activity,
    loop,
    sub_process,
    call_activity,
    script,
    expression,
    item,
    resource,
    collaboration,
    choreography,
    extension,
    unknown_extension,
    ignored,
    unsupported,
    too_many_problems,
};

inline constexpr std::size_t problem_kinds =
    static_cast<std::size_t>(ProblemKind::too_many_problems) + 1;

// As in the enumeration.
std::string_view name_of(ProblemKind kind);

enum class Severity : std::uint8_t { error, warning };

struct Problem {
    ProblemKind kind = ProblemKind::malformed_xml;
    Severity severity = Severity::error;
    std::uint32_t line = 0;  // 0: the whole file
    std::string element;     // the id; empty: the element has none
    std::string message;

    bool operator==(const Problem&) const = default;
};

// "line 12, task_1: message [kind]", preceded by "warning: " for a warning.
std::string text_of(const Problem& problem);

// Collects problems. A hostile model may have one for each element, so only the first thousand
// errors and the first thousand warnings are kept.
class Problems {
public:
    static constexpr std::size_t most = 1000;
    static constexpr std::size_t most_bytes = 400;  // of an id, and of a message

    void add(Problem problem);
    bool any_error() const { return errors_ > 0; }
    // Further errors are not kept, so that looking for them is of no use.
    bool is_full() const { return errors_ > most; }
    // Sorted by line.
    std::vector<Problem> take();

private:
    std::vector<Problem> found_;
    std::size_t errors_ = 0;
    std::size_t warnings_ = 0;
};

}  // namespace holdfast::bpmn
