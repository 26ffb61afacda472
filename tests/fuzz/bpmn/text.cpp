// Expressions and timers from any bytes: parsed or refused, and every due time is after the last.
#include <cstdint>

#include "base/assert.h"
#include "bpmn/expression/compile_text.h"
#include "bpmn/timer/schedule.h"

using namespace holdfast;

namespace {

void check_due(const bpmn::Schedule& schedule) {
    const Moment armed(std::chrono::seconds(1'700'000'000));
    bpmn::TimerProgress progress{.armed = armed};
    for (int i = 0; i < 5; ++i) {
        const auto due = next_due(schedule, progress);
        if (!due) return;
        HF_ASSERT(i == 0 || *due > progress.last_due, "a timer moves forward");
        progress = {.armed = armed, .fired = progress.fired + 1, .last_due = *due};
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    for (const bpmn::Language language :
         {bpmn::Language::unnamed, bpmn::Language::el, bpmn::Language::feel})
        (void)bpmn::compile_expression(text, language);
    (void)bpmn::compile_text(text);
    if (const auto date = bpmn::parse_timer_date(text)) check_due(*date);
    if (const auto duration = bpmn::parse_timer_duration(text)) check_due(*duration);
    if (const auto cycle = bpmn::parse_timer_cycle(text)) check_due(*cycle);
    return 0;
}
