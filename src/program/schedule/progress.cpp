#include "program/schedule/progress.h"

#include <algorithm>
#include <boost/json.hpp>

#include "model/codec/member_reader.h"

namespace holdfast::schedule {
namespace {

namespace bj = boost::json;

constexpr std::pair<Why, std::string_view> reasons[] = {{Why::due, "due"},
                                                        {Why::caught_up, "caughtUp"},
                                                        {Why::triggered, "triggered"},
                                                        {Why::backfill, "backfill"}};

Why parse_why(std::string_view text) {
    const auto found = std::ranges::find(reasons, text, &std::pair<Why, std::string_view>::second);
    return found == std::end(reasons) ? Why::due : found->first;
}

bj::value moment_json(const std::optional<Moment>& moment) {
    return moment ? bj::value(to_iso8601(*moment)) : bj::value(nullptr);
}

bj::object to_json(const Fired& fired) {
    bj::object object{{"due", to_iso8601(fired.due)},
                      {"at", to_iso8601(fired.at)},
                      {"why", fired.why},
                      {"workflow", nullptr}};
    if (fired.workflow) object["workflow"] = to_string(*fired.workflow);
    return object;
}

// Calls `each` with a reader of every element.
template <class Each>
void for_each(MemberReader& reader, std::string_view name, const Each& each) {
    const bj::array* list = reader.value(name).if_array();
    if (!list) return;
    for (const bj::value& one : *list) {
        MemberReader inner(one);
        each(inner);
    }
}

std::uint64_t count_in(MemberReader& reader, std::string_view name) {
    return reader.is_absent(name) ? 0 : reader.number(name);
}

}  // namespace

std::string_view name_of(Why why) {
    return std::ranges::find(reasons, why, &std::pair<Why, std::string_view>::first)->second;
}

bj::object to_json(const Progress& progress) {
    bj::array queue;
    for (const Queued& one : progress.queue)
        queue.push_back(bj::object{{"due", to_iso8601(one.due)}, {"why", name_of(one.why)}});
    bj::array backfills;
    for (const Backfill& one : progress.backfills)
        backfills.push_back(bj::object{{"next", to_iso8601(one.next)},
                                       {"to", to_iso8601(one.to)},
                                       {"overlap", name_of(one.overlap)}});
    bj::array recent;
    for (const Fired& one : progress.recent) recent.push_back(to_json(one));
    bj::object object{{"last", to_iso8601(progress.last)}, {"next", moment_json(progress.next)},
                      {"fired", progress.fired},           {"skipped", progress.skipped},
                      {"missed", progress.missed},         {"running", nullptr},
                      {"queue", std::move(queue)},         {"backfills", std::move(backfills)},
                      {"recent", std::move(recent)}};
    if (progress.running)
        object["running"] = bj::object{{"workflow", to_string(progress.running->workflow)},
                                       {"due", to_iso8601(progress.running->due)}};
    return object;
}

Progress read_progress(const bj::value& value, Moment created) {
    MemberReader reader(value);
    Progress progress;
    progress.last = reader.optional_moment("last").value_or(created);
    progress.next = reader.optional_moment("next");
    progress.fired = count_in(reader, "fired");
    progress.skipped = count_in(reader, "skipped");
    progress.missed = count_in(reader, "missed");
    if (!reader.is_absent("running")) {
        MemberReader running(reader.value("running"));
        progress.running = {running.id<InstanceId>("workflow"), running.moment("due")};
    }
    for_each(reader, "queue", [&](MemberReader& one) {
        progress.queue.push_back({one.moment("due"), parse_why(one.text("why"))});
    });
    for_each(reader, "backfills", [&](MemberReader& one) {
        progress.backfills.push_back({one.moment("next"), one.moment("to"),
                                      parse_overlap(one.text("overlap")).value_or(Overlap::queue)});
    });
    for_each(reader, "recent", [&](MemberReader& one) {
        progress.recent.push_back({one.moment("due"), one.moment("at"), one.text("why"),
                                   one.optional_id<InstanceId>("workflow")});
    });
    return progress;
}

}  // namespace holdfast::schedule
