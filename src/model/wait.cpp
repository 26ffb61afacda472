#include "model/wait.h"

#include <algorithm>
#include <tuple>

#include "base/names.h"
#include "model/event.h"

namespace holdfast {
namespace {

constexpr Named<Since> sinces[] = {
    {Since::any, "any"}, {Since::created, "created"}, {Since::wait, "wait"}};
constexpr Named<WaitingKind> waiting_kinds[] = {{WaitingKind::none, "none"},
                                                {WaitingKind::task_completion, "task_completion"},
                                                {WaitingKind::timer, "timer"},
                                                {WaitingKind::event, "event"},
                                                {WaitingKind::sub_workflow, "sub_workflow"},
                                                {WaitingKind::retry, "retry"},
                                                {WaitingKind::job, "job"},
                                                {WaitingKind::several, "several"}};

}  // namespace

std::string_view name_of(Since since) { return name_in(sinces, since); }
std::optional<Since> parse_since(std::string_view text) { return find_in(sinces, text); }
std::string_view name_of(WaitingKind kind) { return name_in(waiting_kinds, kind); }
std::optional<WaitingKind> parse_waiting_kind(std::string_view text) {
    return find_in(waiting_kinds, text);
}

WaitingKind kind_of(const Waiting& waiting) {
    const Wait& wait = waiting.wait;
    if (wait.retry) return WaitingKind::retry;
    const int kinds_of_conditions =
        !wait.names.empty() + wait.until.has_value() + !wait.workflows.empty();
    if (kinds_of_conditions != 1) return WaitingKind::several;
    if (!wait.names.empty() && std::ranges::all_of(wait.names, is_job_name, &EventKey::name))
        return WaitingKind::job;
    if (!wait.names.empty())
        return std::ranges::all_of(wait.names, is_task_name, &EventKey::name)
                   ? WaitingKind::task_completion
                   : WaitingKind::event;
    return wait.until ? WaitingKind::timer : WaitingKind::sub_workflow;
}

bool waited_longer(const Waiting& a, const Waiting& b) {
    return std::tie(a.began_at, a.operation, a.token) < std::tie(b.began_at, b.operation, b.token);
}

const Waiting* find_wait(std::span<const Waiting> waits, const TokenId& token) {
    const auto found = std::ranges::find(waits, token, &Waiting::token);
    return found == waits.end() ? nullptr : &*found;
}

const Waiting* due_first(std::span<const Waiting> waits) {
    const auto later = [](const Waiting& one) { return one.wait.until.value_or(Moment::max()); };
    const auto first = std::ranges::min_element(waits, {}, later);
    return first == waits.end() ? nullptr : &*first;
}

WaitSummary summary_of(std::span<const Waiting> waits) {
    const Waiting* first = due_first(waits);
    if (!first) return {};
    return {kind_of(*first), first->token, first->wait.until};
}

}  // namespace holdfast
