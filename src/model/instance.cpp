#include "model/instance.h"

#include <algorithm>

#include "base/names.h"

namespace holdfast {
namespace {

constexpr Named<Status> statuses[] = {{Status::running, "running"},
                                      {Status::suspended, "suspended"},
                                      {Status::succeeded, "succeeded"},
                                      {Status::failed, "failed"},
                                      {Status::cancelled, "cancelled"}};
constexpr Named<RunBy> runners[] = {
    {RunBy::outside, "outside"}, {RunBy::node, "node"}, {RunBy::rounds, "rounds"}};

}  // namespace

std::string_view name_of(Status status) { return name_in(statuses, status); }
std::optional<Status> parse_status(std::string_view text) { return find_in(statuses, text); }
std::string_view name_of(RunBy run_by) { return name_in(runners, run_by); }
std::optional<RunBy> parse_run_by(std::string_view text) { return find_in(runners, text); }

void add_wait(Instance& instance, Waiting waiting) {
    const auto place = std::ranges::upper_bound(instance.waits, waiting, waited_longer);
    instance.waits.insert(place, std::move(waiting));
}

std::optional<Waiting> take_wait(Instance& instance, const TokenId& token) {
    const auto found = std::ranges::find(instance.waits, token, &Waiting::token);
    if (found == instance.waits.end()) return std::nullopt;
    Waiting taken = std::move(*found);
    instance.waits.erase(found);
    return taken;
}

}  // namespace holdfast
