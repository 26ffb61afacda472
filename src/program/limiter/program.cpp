#include "program/limiter/program.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/json/canonical.h"

namespace holdfast {
namespace limiter {
namespace {

namespace bj = boost::json;

// A limiter of one key that gives no turns for so long ends; the next start makes it again.
constexpr auto most_idle = std::chrono::hours(1);

Give read_give(const bj::value& request) {
    const bj::object& object = request.as_object();
    Give give{.workflows = {},
              .until_end = object.at("untilEnd").as_bool(),
              .queued = object.at("queued").as_bool(),
              .next = parse_iso8601(object.at("next").as_string()).value_or(Moment{}),
              .look_at = {}};
    for (const bj::value& id : object.at("workflows").as_array())
        if (const auto parsed = parse_id<InstanceId>(id.as_string()))
            give.workflows.push_back(*parsed);
    if (const bj::value& at = object.at("lookAt"); at.is_string())
        give.look_at = parse_iso8601(at.get_string());
    return give;
}

// One reaction of a limiter.
class Reacting {
public:
    Reacting(const Instance& limiter, Moment now)
        : limiter_(limiter), now_(now), memory_(read_memory(limiter)) {}

    Memory& memory() { return memory_; }

    void give(const Give& give) {
        memory_.queued = give.queued;
        memory_.next = give.next;
        memory_.given += give.workflows.size();
        if (!give.until_end) return;
        for (const InstanceId& workflow : give.workflows)
            reaction_.begin.push_back(
                {.token = new_token(), .wait = {.workflows = {workflow}}, .nothing_pending = true});
    }

    // Looks for turns to give at that time, at least if it is idle for long.
    Reaction rest(std::string happened, std::optional<Moment> look_at) && {
        if (!look_at && !memory_.key.empty()) look_at = now_ + most_idle;
        for (const Waiting& waiting : limiter_.waits)
            if (waiting.wait.workflows.empty()) reaction_.end.push_back(waiting.token);
        reaction_.begin.push_back(
            {.token = new_token(),
             .wait = {.names = {{limits_name, memory_.definition}}, .until = look_at},
             .nothing_pending = true});
        reaction_.state = to_document(memory_);
        reaction_.history.push_back(
            {HistoryType::step_recorded, json::canonical(bj::object{{"index", limiter_.index},
                                                                    {"name", std::move(happened)},
                                                                    {"value", memory_.given}})});
        return std::move(reaction_);
    }

private:
    TokenId new_token() { return {id_made_by(limiter_, made_++)}; }

    const Instance& limiter_;
    const Moment now_;
    Memory memory_;
    Reaction reaction_;
    std::uint16_t made_ = 0;
};

// When the rest of the queue was to be looked at.
std::optional<Moment> planned(const Instance& limiter) {
    for (const Waiting& waiting : limiter.waits)
        if (waiting.wait.workflows.empty()) return waiting.wait.until;
    return std::nullopt;
}

bool is_idle(const Instance& limiter, const Memory& memory, Moment now) {
    return !memory.key.empty() && !memory.queued && limiter.waits.empty() && memory.next <= now;
}

Reaction end() {
    Reaction reaction;
    reaction.ending = Reaction::Ending{.payload = "null"};
    return reaction;
}

class LimiterProgram final : public Program {
public:
    RunBy run_by() const override { return RunBy::rounds; }
    Depth depth() const override { return Depth::document; }
    bool starts_by_call() const override { return false; }

    std::vector<SchemaViolation> check_state(const Instance& instance,
                                             const Document& wanted) const override {
        if (instance.version == 0 || wanted == instance.state) return {};
        return {{"", "the state of a limiter is its own; PUT the definition to change its limits"}};
    }
    Document with_own_state(const Instance& instance, Document) const override {
        return instance.state;
    }

    Reaction react(const Instance& instance, const Stimulus& stimulus, Moment now) const override {
        Reacting reacting(instance, now);
        if (std::holds_alternative<stimulus::Started>(stimulus)) {
            reacting.memory().next = now;
            // Of one that was cleared, somebody may still wait for a turn.
            const bool was_cleared = instance.version > 1;
            return std::move(reacting).rest("started",
                                            was_cleared ? std::optional(now) : std::nullopt);
        }
        if (const auto* asked = std::get_if<stimulus::Asked>(&stimulus)) {
            const Give give = read_give(asked->request.value());
            reacting.give(give);
            return std::move(reacting).rest("turns", give.look_at);
        }
        if (std::holds_alternative<stimulus::EventArrived>(stimulus))
            return std::move(reacting).rest("limits", now);
        if (const auto* ended = std::get_if<stimulus::WorkflowEnded>(&stimulus)) {
            const auto look_at = reacting.memory().queued ? now : planned(instance);
            return std::move(reacting).rest(
                "workflow " + to_string(ended->workflow) + " " + std::string(ended->status),
                look_at);
        }
        if (std::holds_alternative<stimulus::TimerReached>(stimulus)) {
            if (is_idle(instance, reacting.memory(), now)) return end();
            Reaction reaction;
            reaction.gives_turns = true;
            return reaction;
        }
        // Cancelling it would leave those who wait for their turn alone.
        return {};
    }
};

}  // namespace

Document first_state(const std::string& definition, const std::string& key) {
    return to_document({.definition = definition, .key = key, .next = {}});
}

Document to_document(const Give& give) {
    bj::array workflows;
    for (const InstanceId& id : give.workflows) workflows.emplace_back(to_string(id));
    bj::object object{{"workflows", std::move(workflows)},
                      {"untilEnd", give.until_end},
                      {"queued", give.queued},
                      {"next", to_iso8601(give.next)},
                      {"lookAt", nullptr}};
    if (give.look_at) object["lookAt"] = to_iso8601(*give.look_at);
    return Document::of(object);
}

}  // namespace limiter

InstanceId limiter_of(const std::string& tenant, const std::string& definition,
                      const std::string& key) {
    const Digest digest = sha256("limiter\n" + tenant + '\n' + definition + '\n' + key);
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    for (int i = 0; i < 8; ++i) {
        high = high << 8 | digest.bytes[i];
        low = low << 8 | digest.bytes[8 + i];
    }
    return {make_uuid_v7(Moment{}, high, low)};
}

std::shared_ptr<const Program> limiter_program() {
    static const auto program = std::make_shared<const limiter::LimiterProgram>();
    return program;
}

const Waiting* wait_for_turn(const Instance& instance) {
    for (const Waiting& waiting : instance.waits)
        for (const EventKey& name : waiting.wait.names)
            if (name.name == turn_name) return &waiting;
    return nullptr;
}

}  // namespace holdfast
