#include "support/tally/tally.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "program/kinds.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

class Tally final : public Program {
public:
    explicit Tally(TallySource source) : source_(std::move(source)) {}

    RunBy run_by() const override { return RunBy::rounds; }
    Depth depth() const override { return Depth::document; }

    Reaction react(const Instance& instance, const Stimulus& stimulus, Moment now) const override {
        if (std::holds_alternative<stimulus::Started>(stimulus)) return begin(instance);
        if (const auto* event = std::get_if<stimulus::EventArrived>(&stimulus))
            return event->event.name == source_.tick ? count(instance, now)
                                                     : end(instance, Status::succeeded);
        if (std::holds_alternative<stimulus::StateEdited>(stimulus)) return {};
        if (std::holds_alternative<stimulus::CancelRequested>(stimulus))
            return end(instance, Status::cancelled);
        return end(instance, Status::succeeded);
    }

private:
    static std::uint64_t count_of(const Instance& instance) {
        const bj::value state = instance.state.value();
        const bj::object* object = state.if_object();
        const bj::value* count = object ? object->if_contains("count") : nullptr;
        return count ? count->to_number<std::uint64_t>() : 0;
    }
    static void set_count(Reaction& reaction, std::uint64_t count) {
        reaction.state = Document::of(bj::object{{"count", count}});
        reaction.history.push_back({HistoryType::state_changed, reaction.state->text()});
    }
    static TokenId token(const Instance& instance, std::uint16_t place) {
        return {id_made_by(instance, place)};
    }

    Reaction begin(const Instance& instance) const {
        Reaction reaction;
        set_count(reaction, 0);
        reaction.begin = {{.token = token(instance, 1), .wait = {.names = {source_.tick}}},
                          {.token = token(instance, 2), .wait = {.names = {source_.stop}}}};
        return reaction;
    }
    Reaction count(const Instance& instance, Moment now) const {
        const std::uint64_t ticks = count_of(instance) + 1;
        Reaction reaction;
        set_count(reaction, ticks);
        if (ticks != source_.last)
            reaction.begin = {{.token = token(instance, 1), .wait = {.names = {source_.tick}}}};
        else if (source_.task.empty() && source_.child.empty())
            reaction.ending = ending(Status::succeeded, ticks);
        else
            ask(reaction, instance, now);
        return reaction;
    }
    // Goes on to wait for the task, the child or an hour, whatever comes first.
    void ask(Reaction& reaction, const Instance& instance, Moment now) const {
        Wait wait{.until = now + std::chrono::hours(1)};
        if (!source_.task.empty()) {
            const TaskId task{id_made_by(instance, 3)};
            reaction.tasks.push_back({.id = task, .spec = {.name = source_.task}});
            wait.names = {event_name_of(task)};
        }
        if (!source_.child.empty()) {
            const InstanceId child{id_made_by(instance, 4)};
            reaction.children.push_back({.id = child, .definition = source_.child});
            wait.workflows = {child};
        }
        reaction.begin = {{.token = token(instance, 5), .wait = std::move(wait)}};
    }
    static Reaction end(const Instance& instance, Status status) {
        Reaction reaction;
        reaction.ending = ending(status, count_of(instance));
        return reaction;
    }
    static Reaction::Ending ending(Status status, std::uint64_t ticks) {
        return {
            .status = status,
            .result = Document::of(bj::value(ticks)),
            .type = status == Status::cancelled ? HistoryType::cancelled : HistoryType::succeeded,
            .payload = json::canonical(bj::object{{"result", ticks}})};
    }

    TallySource source_;
};

}  // namespace

std::string to_text(const TallySource& source) {
    return json::canonical(bj::object{{"tick", source.tick},
                                      {"stop", source.stop},
                                      {"last", source.last},
                                      {"task", source.task},
                                      {"child", source.child}});
}

TallySource tally_source(std::string_view text) {
    if (text.empty()) return {};
    const bj::value value = bj::parse(text);
    const auto member = [&](const char* name) { return std::string(value.at(name).as_string()); };
    return {.tick = member("tick"),
            .stop = member("stop"),
            .last = value.at("last").to_number<std::uint64_t>(),
            .task = member("task"),
            .child = member("child")};
}

std::shared_ptr<const Program> tally_program(std::string_view source) {
    return std::make_shared<const Tally>(tally_source(source));
}

void register_tally() {
    ProgramKinds::known().add(std::string(tally_kind), [](const Definition& definition) {
        return tally_program(definition.source.value_or(""));
    });
}

}  // namespace holdfast::testing
