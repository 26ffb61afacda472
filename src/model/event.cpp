#include "model/event.h"

#include "base/names.h"

namespace holdfast {
namespace {

constexpr Named<OnTargetEnded> policies[] = {{OnTargetEnded::discard, "discard"},
                                             {OnTargetEnded::broadcast, "broadcast"},
                                             {OnTargetEnded::dead_letter, "deadLetter"}};
constexpr Named<FanOut> fan_outs[] = {{FanOut::one, "one"}, {FanOut::all, "all"}};
constexpr Named<EventFate> fates[] = {{EventFate::queued, "queued"},
                                      {EventFate::delivered, "delivered"},
                                      {EventFate::expired, "expired"},
                                      {EventFate::dead, "dead"},
                                      {EventFate::discarded, "discarded"}};

}  // namespace

std::string_view name_of(OnTargetEnded policy) { return name_in(policies, policy); }
std::optional<OnTargetEnded> parse_on_target_ended(std::string_view text) {
    return find_in(policies, text);
}
std::string_view name_of(FanOut fan_out) { return name_in(fan_outs, fan_out); }
std::optional<FanOut> parse_fan_out(std::string_view text) { return find_in(fan_outs, text); }
std::string_view name_of(EventFate fate) { return name_in(fates, fate); }
std::optional<EventFate> parse_event_fate(std::string_view text) { return find_in(fates, text); }

// Matches the names that event_name_of builds.
bool is_engine_name(std::string_view event_name) { return event_name.starts_with("task/"); }

}  // namespace holdfast
