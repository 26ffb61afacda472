// Evaluates any expression twice within its budget and expects the same result.
#include "feel/evaluate.h"

#include <boost/json.hpp>
#include <cstdint>

#include "base/assert.h"
#include "feel/values/json.h"
#include "feel/values/show.h"

using namespace holdfast;

namespace {

const boost::json::object& variables() {
    static const boost::json::object json =
        boost::json::parse(R"({"amount": 1500, "rate": 0.25, "name": "Ada", "order total": 12,
            "empty": null, "flag": true, "tags": ["a", "b", "c"], "n": [3, 1, 2, 9007199254740993],
            "customer": {"region": "EU", "first name": "Ada", "since": "2020-02-29"},
            "items": [{"price": 10, "count": 2}, {"price": 2.5, "count": 4}, {"count": 1}]})")
            .as_object();
    return json;
}

feel::Settings settings() {
    feel::Settings settings;
    settings.budget.steps = 20'000;
    settings.budget.memory = 1 << 20;
    settings.budget.range_length = 1'000;
    settings.budget.output_size = 100'000;
    settings.now = Moment(std::chrono::seconds(1'700'000'000));
    return settings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const feel::Scope scope(variables());
    const auto expression = feel::parse(text, {.names = {"order total", "first name"}});
    if (!expression) return 0;
    const feel::Evaluated first = feel::evaluate(*expression, scope, settings());
    const feel::Evaluated second = feel::evaluate(*expression, scope, settings());
    const auto shown = feel::shown_within(first.value, 1 << 20);
    HF_ASSERT(shown.has_value(), "a result stays within its budget");
    HF_ASSERT(*shown == feel::shown(second.value), "an evaluation can be repeated");
    HF_ASSERT(first.steps == second.steps, "an evaluation takes the same steps");
    (void)feel::to_json(first.value);
    return 0;
}
