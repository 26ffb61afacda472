#include "program/limiter/turns.h"

#include <algorithm>
#include <boost/json.hpp>

namespace holdfast::limiter {
namespace {

namespace bj = boost::json;
using std::chrono::microseconds;

// Of turns that came late because a timer did.
constexpr microseconds most_made_up = std::chrono::seconds(1);

std::string text_in(const bj::object& object, const char* name) {
    const bj::value* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->get_string()) : "";
}

}  // namespace

Memory read_memory(const Instance& limiter) {
    const bj::value state = limiter.state.value();
    const bj::object* object = state.if_object();
    Memory memory;
    if (!object) return memory;
    memory.definition = text_in(*object, "definition");
    memory.key = text_in(*object, "key");
    if (const bj::value* queued = object->if_contains("queued"))
        memory.queued = *queued == bj::value(true);
    memory.next = parse_iso8601(text_in(*object, "next")).value_or(Moment{});
    if (const bj::value* given = object->if_contains("given"); given && given->is_number())
        memory.given = given->to_number<std::uint64_t>();
    return memory;
}

Document to_document(const Memory& memory) {
    return Document::of(bj::object{{"definition", memory.definition},
                                   {"key", memory.key},
                                   {"queued", memory.queued},
                                   {"next", to_iso8601(memory.next)},
                                   {"given", memory.given}});
}

std::uint32_t holders_of(const Instance& limiter) {
    return static_cast<std::uint32_t>(std::ranges::count_if(
        limiter.waits, [](const Waiting& waiting) { return !waiting.wait.workflows.empty(); }));
}

namespace {

// From when the rate counts. A queue makes up for turns that came late.
Moment counted_from(const Memory& memory, Moment now) {
    return std::max(memory.next, now - (memory.queued ? most_made_up : microseconds(0)));
}

}  // namespace

Free free_turns(const Instance& limiter, const std::optional<Limits>& limits, Moment now,
                std::uint32_t most) {
    Free free{.turns = most, .more_at = {}};
    if (!limits) return free;
    if (limits->concurrency) {
        const std::uint32_t holders = holders_of(limiter);
        free.turns = std::min(most, *limits->concurrency - std::min(*limits->concurrency, holders));
    }
    if (!limits->rate || free.turns == 0) return free;
    const microseconds pause = limits->rate->pause();
    const Moment first =
        counted_from(read_memory(limiter), now) - pause * std::int64_t{limits->rate->burst - 1};
    const std::int64_t ready = first > now ? 0 : (now - first) / pause + 1;
    free.turns = static_cast<std::uint32_t>(std::min<std::int64_t>(free.turns, ready));
    free.more_at = first + pause * std::int64_t{free.turns};
    return free;
}

Moment next_after(const Memory& memory, const std::optional<Limits>& limits, Moment now,
                  std::uint32_t turns) {
    if (!limits || !limits->rate) return memory.next;
    return counted_from(memory, now) + limits->rate->pause() * std::int64_t{turns};
}

}  // namespace holdfast::limiter
