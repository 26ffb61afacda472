#include "app/demo_stories.h"

#include <array>

#include "app/commands/server_calls.h"
#include "app/demo_model.h"
#include "base/time/clock.h"
#include "base/time/moment.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;
using http::Method;

std::uint64_t number_of(const bj::object& object, std::string_view name) {
    const bj::value* found = object.if_contains(name);
    return found && found->is_number() ? found->to_number<std::uint64_t>() : 0;
}

// Differs from one workflow to the other, and is the same whenever it is asked for.
std::uint64_t luck(const bj::object& workflow, std::string_view about) {
    return std::hash<std::string>{}(text_of(workflow, "id") + std::string(about));
}

std::string path_of(const bj::object& workflow) { return "/workflows/" + text_of(workflow, "id"); }

bool is_waiting(const bj::object& workflow) { return text_of(workflow, "status") == "suspended"; }

void record(DemoCalls& calls, const bj::object& workflow, const std::string& name, bj::value value,
            const char* member = "value") {
    const std::string index = std::to_string(number_of(workflow, "index"));
    calls.send(Method::put, path_of(workflow) + "/steps/" + index,
               bj::object{{"run", 1},
                          {"name", name},
                          {"inputHash", std::string(64, '0')},
                          {member, std::move(value)}});
}

void await(DemoCalls& calls, const bj::object& workflow, const bj::array& names,
           std::string_view after) {
    calls.send(Method::post, path_of(workflow) + "/wait",
               bj::object{{"run", 1},
                          {"index", number_of(workflow, "index")},
                          {"names", names},
                          {"after", after}});
}

void end(DemoCalls& calls, const bj::object& workflow, const char* how, bj::object body) {
    body["run"] = 1;
    body["index"] = number_of(workflow, "index");
    calls.send(Method::post, path_of(workflow) + "/" + how, std::move(body));
}

// What ended the wait at this index: the event's name, or "timer".
std::string winner_at(DemoCalls& calls, const bj::object& workflow, int index) {
    const auto step = calls.get(path_of(workflow) + "/steps/" + std::to_string(index));
    const bj::value* winner = step ? step->as_object().if_contains("winner") : nullptr;
    return winner && winner->is_object() ? text_of(winner->as_object(), "name") : std::string();
}

// A number that grows, also after a restart.
std::string next_number() {
    const auto tenths = SystemClock().now().time_since_epoch() / std::chrono::milliseconds(100);
    return std::to_string(tenths % 1'000'000);
}

void begin(DemoCalls& calls, const char* definition, const char* prefix, bj::object state) {
    calls.send(Method::post, "/workflows",
               bj::object{{"definition", definition},
                          {"businessKey", prefix + next_number()},
                          {"state", std::move(state)}});
}

// The order: reserve, wait for the payment or 40 seconds, ship or give the stock back.
void start_order(DemoCalls& calls) {
    begin(calls, "demo-order", "order-", {{"customer", "Ada"}, {"total", 49.9}, {"step", "new"}});
}

void act_on_order(DemoCalls& calls, const bj::object& order) {
    const std::uint64_t index = number_of(order, "index");
    if (is_waiting(order)) {
        if (luck(order, "pays") % 4 != 0)
            calls.send(Method::post, path_of(order) + "/events/paid",
                       bj::object{{"value", bj::object{{"amount", 49.9}}}});
    } else if (index == 0) {
        record(calls, order, "reserve stock", bj::object{{"shelf", luck(order, "shelf") % 90}});
    } else if (index == 1) {
        await(calls, order, {"paid"}, "40s");
    } else if (winner_at(calls, order, 1) == "timer") {
        if (index == 2) return record(calls, order, "give stock back", bj::object{});
        end(calls, order, "fail", {{"code", "payment_timeout"}, {"error", "not paid in 40 s"}});
    } else if (index == 2) {
        record(calls, order, "ship",
               bj::object{{"parcel", "P-" + text_of(order, "id").substr(0, 4)}});
    } else {
        end(calls, order, "complete", {{"result", bj::object{{"shipped", true}}}});
    }
}

// The expense: somebody of the group `boss` approves it. Every third waits for whoever looks.
void start_expense(DemoCalls& calls) {
    begin(calls, "demo-expense", "expense-", {{"by", "Farid"}, {"amount", 120}, {"for", "train"}});
}

void decide_task(DemoCalls& calls, const std::string& id, const bj::object& outputs) {
    const auto task = calls.get("/tasks/" + id);
    if (!task) return;
    const std::string holder = text_of(task->as_object(), "holder");
    const bj::object ann{{"user", "ann"}, {"groups", bj::array{"boss", "packers"}}};
    if (holder.empty()) {
        calls.send(Method::post, "/tasks/" + id + "/claim", ann);
    } else if (holder == "ann") {
        bj::object done = ann;
        done["outputs"] = outputs;
        calls.send(Method::post, "/tasks/" + id + "/complete", done);
    }
}

std::string open_task_of(DemoCalls& calls, const bj::object& workflow) {
    const auto page = calls.get("/tasks?state=open&limit=1&workflow=" + text_of(workflow, "id"));
    const bj::array* items = page ? page->at("items").if_array() : nullptr;
    return items && !items->empty() ? text_of(items->front().as_object(), "id") : std::string();
}

void act_on_expense(DemoCalls& calls, const bj::object& expense) {
    const std::uint64_t index = number_of(expense, "index");
    if (is_waiting(expense)) {
        if (luck(expense, "who") % 3 == 0) return;  // for the visitor
        const std::string task = open_task_of(calls, expense);
        if (!task.empty()) decide_task(calls, task, {{"approved", luck(expense, "yes") % 5 != 0}});
    } else if (index == 0) {
        calls.send(Method::post, path_of(expense) + "/tasks",
                   bj::object{{"run", 1},
                              {"index", 0},
                              {"name", "Approve a train ticket of 120 euro"},
                              {"candidateGroups", bj::array{"boss"}},
                              {"expectedOutputs", bj::array{"approved"}},
                              {"payload", bj::object{{"by", "Farid"}, {"amount", 120}}},
                              {"priority", luck(expense, "priority") % 100}});
    } else if (index == 1) {
        const std::string task = open_task_of(calls, expense);
        if (!task.empty()) await(calls, expense, {"task/" + task}, "10m");
    } else if (winner_at(calls, expense, 1) == "timer") {
        end(calls, expense, "fail",
            {{"code", "nobody_decided"}, {"error", "not decided in 10 min"}});
    } else {
        end(calls, expense, "complete", {{"result", bj::object{{"decided", true}}}});
    }
}

// The trip: three bookings; if the card is declined, the first two are undone, the last one first.
void start_trip(DemoCalls& calls) {
    begin(calls, "demo-trip", "trip-", {{"traveller", "Grace"}, {"to", "Lisbon"}, {"nights", 3}});
}

void act_on_trip(DemoCalls& calls, const bj::object& trip) {
    const std::uint64_t index = number_of(trip, "index");
    const bool declined = luck(trip, "card") % 5 < 2;
    constexpr std::array bookings{"book flight", "book hotel"};
    constexpr std::array undos{"undo: cancel hotel", "undo: cancel flight"};
    if (index < bookings.size()) {
        record(calls, trip, bookings.at(index),
               bj::object{{"booking", luck(trip, bookings.at(index)) % 10'000}});
    } else if (index == 2 && declined) {
        record(calls, trip, "charge card", bj::object{{"code", "card_declined"}}, "error");
    } else if (index == 2) {
        record(calls, trip, "charge card", bj::object{{"receipt", luck(trip, "receipt") % 10'000}});
    } else if (declined && index < 5) {
        record(calls, trip, undos.at(index - 3), bj::object{});
    } else if (declined) {
        end(calls, trip, "fail", {{"code", "card_declined"}, {"error", "everything was undone"}});
    } else {
        end(calls, trip, "complete", {{"result", bj::object{{"booked", true}}}});
    }
}

// The parcel: a process; people pack it, the carrier picks it up.
void start_parcel(DemoCalls& calls) {
    begin(calls, "demo-shipping", "parcel-", {{"variables", bj::object{{"weight", 2}}}});
}

void act_on_parcel(DemoCalls& calls, const bj::object& parcel) {
    const std::string task = open_task_of(calls, parcel);
    if (!task.empty()) return decide_task(calls, task, {});
    const bj::value* waits = parcel.if_contains("waits");
    if (waits && bj::serialize(*waits).find("picked-up") != std::string::npos)
        calls.send(Method::post, path_of(parcel) + "/events/picked-up", bj::object{});
}

}  // namespace

DemoCalls::DemoCalls(const std::string& url, std::string token)
    : connection_(http::ClientConnection::to(url)), token_(std::move(token)) {}

std::optional<bj::value> DemoCalls::call(Method method, const std::string& path,
                                         std::string_view type, std::string_view body) {
    if (!connection_) return std::nullopt;
    http::Headers headers;
    headers.add("Authorization", "Bearer " + token_);
    if (!type.empty()) headers.add("Content-Type", std::string(type));
    headers.add("If-Match", "*");
    headers.add("X-Correlation-Id", "demo");
    const auto response = connection_->exchange(method, "/api/v1" + path, headers, body);
    if (!response || response->status >= 400) return std::nullopt;
    boost::system::error_code error;
    bj::value value = bj::parse(response->body, error);
    if (error) return std::nullopt;
    return value;
}

std::optional<bj::value> DemoCalls::get(const std::string& path) {
    return call(Method::get, path, "", "");
}

std::optional<bj::value> DemoCalls::send(Method method, const std::string& path,
                                         const bj::value& body) {
    return call(method, path, "application/json", bj::serialize(body));
}

bool DemoCalls::deploy(std::string_view model) {
    return call(Method::post, "/definitions", "application/xml", model).has_value();
}

std::span<const DemoStory> demo_stories() {
    static constexpr DemoStory all[] = {{"demo-order", start_order, act_on_order},
                                        {"demo-expense", start_expense, act_on_expense},
                                        {"demo-trip", start_trip, act_on_trip},
                                        {"demo-shipping", start_parcel, act_on_parcel}};
    return all;
}

bool is_due(const bj::object& workflow) {
    if (const bj::value* paused = workflow.if_contains("paused"); paused && paused->as_bool())
        return false;
    const auto since = parse_iso8601(text_of(workflow, "updatedAt"));
    const std::uint64_t version = number_of(workflow, "version");
    const auto wait = std::chrono::milliseconds(
        1'500 + luck(workflow, std::to_string(version)) % (is_waiting(workflow) ? 12'000 : 3'000));
    return since && SystemClock().now() - *since > wait;
}

bool prepare_stories(DemoCalls& calls) {
    if (!calls.deploy(demo_model())) return false;
    const bj::object settings{{"retention", bj::object{{"keepFor", "30m"}}}};
    for (const DemoStory& story : demo_stories())
        if (!calls.send(Method::put, "/definitions/" + std::string(story.definition), settings))
            return false;
    return true;
}

}  // namespace holdfast::app
