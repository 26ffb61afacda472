#include "model/event.h"

#include "base/names.h"

namespace holdfast {
namespace {

constexpr Named<OnTargetEnded> policies[] = {{OnTargetEnded::discard, "discard"},
                                             {OnTargetEnded::broadcast, "broadcast"},
                                             {OnTargetEnded::dead_letter, "deadLetter"}};
constexpr Named<FanOut> fan_outs[] = {
    {FanOut::one, "one"}, {FanOut::all, "all"}, {FanOut::exactly_one, "exactly-one"}};
constexpr Named<Hold> holds[] = {
    {Hold::none, "none"}, {Hold::until_due, "untilDue"}, {Hold::for_all, "forAll"}};
constexpr Named<EventFate> fates[] = {
    {EventFate::queued, "queued"},       {EventFate::scheduled, "scheduled"},
    {EventFate::delivered, "delivered"}, {EventFate::fanned_out, "fannedOut"},
    {EventFate::expired, "expired"},     {EventFate::dead, "dead"},
    {EventFate::discarded, "discarded"}, {EventFate::cancelled, "cancelled"}};

}  // namespace

std::string_view name_of(OnTargetEnded policy) { return name_in(policies, policy); }
std::optional<OnTargetEnded> parse_on_target_ended(std::string_view text) {
    return find_in(policies, text);
}
std::string_view name_of(FanOut fan_out) { return name_in(fan_outs, fan_out); }
std::optional<FanOut> parse_fan_out(std::string_view text) { return find_in(fan_outs, text); }
std::string_view name_of(Hold hold) { return name_in(holds, hold); }
std::optional<Hold> parse_hold(std::string_view text) { return find_in(holds, text); }
std::string_view name_of(EventFate fate) { return name_in(fates, fate); }
std::optional<EventFate> parse_event_fate(std::string_view text) { return find_in(fates, text); }

// Matches the names that event_name_of builds.
bool is_task_name(std::string_view event_name) { return event_name.starts_with("task/"); }
bool is_job_name(std::string_view event_name) { return event_name.starts_with("process/work/"); }
bool is_engine_name(std::string_view event_name) {
    return is_task_name(event_name) || event_name.starts_with("process/");
}

}  // namespace holdfast
