// Commands for events and timers.
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct SendFlags {
    ClientFlags server;
    std::string name;
    std::optional<std::string> workflow;  // its id or its business key; absent: a broadcast
    std::optional<std::string> key;
    std::optional<std::string> value;  // JSON
    std::optional<std::string> at;
    std::optional<std::string> after;
    std::optional<std::string> expire_after;
    std::optional<std::string> on_target_ended;
    bool to_all = false;
};

struct EventFlags {
    ClientFlags server;
    std::string id;
};

struct TimerFlags {
    ClientFlags server;
    std::optional<std::string> workflow;
};

// "fanned out to 2 workflows"; for the others the outcome and the event.
std::string outcome_of(const bj::object& sent) {
    const std::string outcome = text_of(sent, "outcome");
    const bj::value* to = sent.if_contains("workflows");
    if (outcome != "fannedOut" || !to || !to->is_array() || text_of(sent, "onTheWay") == "true")
        return outcome + " " + text_of(sent, "id");
    const std::size_t count = to->get_array().size();
    if (count == 0) return "fanned out to nobody: no workflow waits for it, the event is dropped";
    return "fanned out to " + std::to_string(count) + (count == 1 ? " workflow " : " workflows ") +
           text_of(sent, "id");
}

Result<bj::object> body_of(const SendFlags& flags) {
    bj::object body{{"name", flags.name}};
    const auto add = [&](const char* member, const std::optional<std::string>& text) {
        if (text) body[member] = *text;
    };
    add("correlationKey", flags.key);
    add("at", flags.at);
    add("after", flags.after);
    add("expireAfter", flags.expire_after);
    add("onTargetEnded", flags.on_target_ended);
    if (flags.to_all) body["fanOut"] = "all";
    HF_TRY(const auto value, json_argument("--value", flags.value));
    if (value) body["value"] = *value;
    return body;
}

ExitCode send_event(const SendFlags& flags, ServerCalls& calls) {
    const auto body = body_of(flags);
    if (!body) return report(body.error());
    const std::string target = flags.workflow
                                   ? client::Target({"workflows", *flags.workflow, "events"}).text()
                                   : client::Target({"events"}).text();
    const auto sent = calls.post(target, *body);
    if (!sent) return report(sent.error());
    if (flags.server.format != Format::text) {
        print(flags.server.format, *sent);
        return ExitCode::ok;
    }
    const std::string due = text_of(*sent, "dueAt");
    print_line(outcome_of(*sent) + (due.empty() ? "" : " for " + due));
    return ExitCode::ok;
}

ExitCode show_event(const EventFlags& flags, ServerCalls& calls) {
    const auto fate = calls.get(client::Target({"event-fates", flags.id}).text());
    if (!fate) return report(fate.error());
    if (flags.server.format == Format::text)
        print_lines(described(*fate));
    else
        print(flags.server.format, *fate);
    return ExitCode::ok;
}

ExitCode cancel_event(const EventFlags& flags, ServerCalls& calls) {
    const auto cancelled = calls.remove(client::Target({"pending-events", flags.id}).text());
    if (!cancelled) return report(cancelled.error());
    if (flags.server.format == Format::text) print_line("cancelled " + flags.id);
    return ExitCode::ok;
}

ExitCode cancel_timers(const TimerFlags& flags, ServerCalls& calls) {
    const std::string& id = *flags.workflow;
    const auto done = calls.post(client::Target({"workflows", id, "cancel-timers"}).text());
    if (!done) return report(done.error());
    if (flags.server.format == Format::text)
        print_line("cancelled " + text_of(*done, "cancelled") + " timers of " + id);
    else
        print(flags.server.format, *done);
    return ExitCode::ok;
}

}  // namespace

void add_events(CLI::App& program, Action& chosen) {
    CLI::App* events = program.add_subcommand("events", "Send, show and cancel events");
    events->require_subcommand(1);
    auto flags = std::make_shared<SendFlags>();
    CLI::App* send = events->add_subcommand("send", "Send an event, now or later");
    send->add_option("name", flags->name, "Name of the event")->required();
    send->add_option("--to", flags->workflow,
                     "Id or business key of the workflow; without it a broadcast");
    send->add_option("--key", flags->key, "Correlation key");
    send->add_option("--value", flags->value, "Value as JSON");
    send->add_option("--after", flags->after, "Send it after this time, such as 10s or 24h");
    send->add_option("--at", flags->at, "Send it at this time, such as 2030-01-01T08:00:00Z");
    send->add_option("--expire-after", flags->expire_after, "Drop it if nobody took it by then");
    send->add_option("--on-target-ended", flags->on_target_ended,
                     "discard, broadcast or deadLetter");
    send->add_flag("--to-all", flags->to_all, "To every workflow that waits for it");
    choose(*send, chosen, flags, send_event);
    const auto add = [&](const char* name, const char* help, auto work) {
        auto its = std::make_shared<EventFlags>();
        CLI::App* command = events->add_subcommand(name, help);
        command->add_option("id", its->id, "Event id")->required();
        choose(*command, chosen, its, work);
    };
    add("show", "Show what happened to an event", show_event);
    add("cancel", "Cancel an event that is not due yet", cancel_event);
}

void add_timers(CLI::App& program, Action& chosen) {
    CLI::App* timers = program.add_subcommand("timers", "Manage the timers of workflows");
    timers->require_subcommand(1);
    auto flags = std::make_shared<TimerFlags>();
    CLI::App* cancel = timers->add_subcommand(
        "cancel", "Remove the timers from what a workflow waits for; it waits for the rest");
    cancel->add_option("id", flags->workflow, "Workflow id or business key")->required();
    choose(*cancel, chosen, flags, cancel_timers);
}

}  // namespace holdfast::app
