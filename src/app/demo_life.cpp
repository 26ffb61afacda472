#include "app/demo_life.h"

#include "base/threads/threads.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;
using namespace std::chrono_literals;

constexpr auto pace = 500ms;
constexpr std::size_t most_open = 24;  // of each story

}  // namespace

DemoLife::DemoLife(std::string url, std::string token)
    : url_(std::move(url)),
      token_(std::move(token)),
      thread_(named_thread("demo", [this](std::stop_token stop) { run(stop); })) {}

DemoLife::~DemoLife() {
    thread_.request_stop();
    wake_.notify_all();
}

void DemoLife::run(std::stop_token stop) {
    DemoCalls calls(url_, token_);
    bool prepared = false;
    while (!stop.stop_requested()) {
        prepared = prepared || prepare_stories(calls);
        if (prepared) act_for_all(calls);
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, stop, pace, [] { return false; });
    }
}

// What a workflow needs next follows from its document alone, so a restart goes on where it was.
void DemoLife::act_for_all(DemoCalls& calls) {
    std::uint64_t number = 0;
    for (const DemoStory& story : demo_stories()) {
        ++number;
        const auto page = calls.get("/workflows?status=open&limit=50&include=state&definition=" +
                                    std::string(story.definition));
        const bj::array* items = page ? page->at("items").if_array() : nullptr;
        if (!items) continue;
        const bool its_turn = started_ % (4 * demo_stories().size()) == 4 * (number - 1);
        if (its_turn && items->size() < most_open) story.start(calls);
        for (const bj::value& item : *items)
            if (is_due(item.as_object())) story.act(calls, item.as_object());
    }
    ++started_;
}

}  // namespace holdfast::app
