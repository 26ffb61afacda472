#include "app/demo.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

constexpr const char* definition_key = "order";

op::Define order_definition(IdSource& ids) {
    op::Define define{.cause = {.operation = ids.next<OperationId>()}, .key = definition_key};
    const bj::object schema{
        {"type", "object"},
        {"required", bj::array{"currentStep"}},
        {"properties", bj::object{{"currentStep", bj::object{{"type", "string"}}},
                                  {"total", bj::object{{"type", "number"}, {"minimum", 0}}}}}};
    define.schema = json::canonical(schema);
    if (auto compiled = StateSchema::compile(*define.schema)) define.compiled = *compiled;
    define.indexes = {json::Path{{"currentStep"}}, json::Path{{"agentContext", "currentAgent"}}};
    return define;
}

op::Start order(IdSource& ids, std::string key, const bj::object& state) {
    return {.cause = {.operation = ids.next<OperationId>()},
            .definition = definition_key,
            .business = {.key = std::move(key), .parts = {{"region", "eu"}}},
            .state = Document::of(state)};
}

std::vector<op::Start> orders(IdSource& ids) {
    return {order(ids, "order-1001",
                  {{"currentStep", "gather-requirements"},
                   {"total", 120},
                   {"agentContext", bj::object{{"currentAgent", "pm"}}}}),
            order(ids, "order-1002", {{"currentStep", "review"}, {"total", 75.5}}),
            order(ids, "order-1003", {{"currentStep", "shipping"}, {"total", 18}})};
}

}  // namespace

Result<InstanceId> seed_demo(Store& store, Coordinator& coordinator, IdSource& ids) {
    HF_TRY(auto found, store.ask(InstanceQuery{.definition = definition_key, .limit = 1}));
    if (!found.items.empty()) return found.items.front().instance.id;
    HF_CHECK(coordinator.submit(order_definition(ids)).get());
    const auto outcomes = coordinator.run_all(orders(ids));
    for (const auto& outcome : outcomes)
        if (!outcome) return std::unexpected(outcome.error());
    return std::get<op::Started>(*outcomes.front()).instance.id;
}

}  // namespace holdfast::app
