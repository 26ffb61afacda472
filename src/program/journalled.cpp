#include "program/journalled.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

Delivery delivery_of(const stimulus::EventArrived& arrived) {
    return {WinnerType::event, arrived.event.name, arrived.event.value};
}

// Runners find the end of a task under the name of its notice.
Delivery delivery_of(const stimulus::TaskEnded& ended) {
    return {WinnerType::event, event_name_of(ended.task), ended.notice};
}

Delivery delivery_of(const stimulus::JobEnded& ended) {
    return {WinnerType::event, "job/" + to_string(ended.job), ended.result};
}

Delivery delivery_of(const stimulus::TimerReached& timer, Moment now) {
    const bj::object reached{{"due", to_iso8601(timer.due)}, {"reached", to_iso8601(now)}};
    return {WinnerType::timer, "timer", Document::of(reached)};
}

Delivery delivery_of(const stimulus::WorkflowEnded& ended) {
    const std::string id = to_string(ended.workflow);
    const bj::object value{
        {"workflow", id}, {"status", ended.status}, {"result", ended.result.value()}};
    return {WinnerType::workflow, id, Document::of(value)};
}

// Canonical: members in order, and the value is canonical already. A shared value is referred to.
std::string payload_of(std::uint64_t index, const Delivery& delivery) {
    std::string text = "{\"index\":" + std::to_string(index) + ",\"name\":";
    json::append_canonical_string(text, delivery.name);
    text += ",\"type\":";
    json::append_canonical_string(text, name_of(delivery.type));
    if (is_shared(delivery.value))
        return text += ",\"valueSha256\":\"" + to_hex(delivery.value.checksum()) + "\"}";
    return text += ",\"value\":" + delivery.value.text() + "}";
}

Reaction cancel(const std::string& reason) {
    Reaction reaction;
    reaction.ending = Reaction::Ending{.status = Status::cancelled,
                                       .type = HistoryType::cancelled,
                                       .payload = json::canonical(bj::object{{"reason", reason}})};
    return reaction;
}

}  // namespace

Reaction record_delivery(const Instance& instance, Delivery delivery, Moment now) {
    Reaction reaction;
    std::optional<Digest> shared;
    if (is_shared(delivery.value)) shared = delivery.value.checksum();
    reaction.history.push_back(
        {HistoryType::delivered, payload_of(instance.index, delivery), shared});
    const Winner winner{.instance = instance.id,
                        .index = instance.index,
                        .type = delivery.type,
                        .name = delivery.name};
    reaction.journal.push_back({Step{.instance = instance.id,
                                     .index = instance.index,
                                     .name = std::move(delivery.name),
                                     .value = std::move(delivery.value),
                                     .at = now},
                                winner});
    return reaction;
}

Reaction record_step(const Step& step) {
    Reaction reaction;
    reaction.journal.push_back({step, std::nullopt});
    return reaction;
}

namespace {

// What each stimulus does to an instance that keeps a journal.
struct ByJournal {
    const Instance& instance;
    Moment now;

    Reaction operator()(const stimulus::Started&) const { return {}; }
    Reaction operator()(const stimulus::StartsOpened&) const { return {}; }
    Reaction operator()(const stimulus::StateEdited&) const { return {}; }
    Reaction operator()(const stimulus::AttemptFailed&) const { return {}; }
    Reaction operator()(const stimulus::StepRecorded& recorded) const {
        return record_step(recorded.step);
    }
    Reaction operator()(const stimulus::CancelRequested& asked) const {
        return cancel(asked.reason);
    }
    Reaction operator()(const stimulus::Modified&) const {
        Reaction reaction;
        reaction.refused = "only processes of BPMN models can be modified";
        return reaction;
    }
    Reaction operator()(const stimulus::Asked&) const {
        Reaction reaction;
        reaction.refused = "only a schedule takes requests";
        return reaction;
    }
    Reaction operator()(const stimulus::TimerReached& timer) const {
        return record_delivery(instance, delivery_of(timer, now), now);
    }
    template <class EndOfWait>
    Reaction operator()(const EndOfWait& end) const {
        return record_delivery(instance, delivery_of(end), now);
    }
};

}  // namespace

Reaction react_by_journal(const Instance& instance, const Stimulus& stimulus, Moment now) {
    return std::visit(ByJournal{instance, now}, stimulus);
}

}  // namespace holdfast
