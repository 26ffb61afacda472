#include "model/journal.h"

#include "base/names.h"

namespace holdfast {
namespace {

constexpr Named<WinnerType> winner_types[] = {{WinnerType::event, "event"},
                                              {WinnerType::timer, "timer"},
                                              {WinnerType::workflow, "workflow"},
                                              {WinnerType::cancelled, "cancelled"}};

constexpr Named<StepResult> step_results[] = {{StepResult::value, "value"},
                                              {StepResult::error, "error"}};

}  // namespace

std::string_view name_of(StepResult result) { return name_in(step_results, result); }
std::optional<StepResult> parse_step_result(std::string_view text) {
    return find_in(step_results, text);
}

std::string_view name_of(WinnerType type) { return name_in(winner_types, type); }
std::optional<WinnerType> parse_winner_type(std::string_view text) {
    return find_in(winner_types, text);
}

}  // namespace holdfast
