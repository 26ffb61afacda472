// schedules: workflows that start, and events that are sent, by time.
#include <algorithm>
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct CreateScheduleFlags {
    ClientFlags server;
    std::string name;
    std::string cron;
    std::string zone;
    std::string every;
    std::string from;
    std::string until;
    std::string start;
    std::optional<std::string> arguments;
    std::string business_key;
    std::string send;
    std::optional<std::string> value;
    std::string correlation;
    std::optional<std::string> workflow;
    std::string fan_out;
    std::string overlap;
    std::string catch_up;
    std::string jitter;
    bool replace = false;
};

struct ScheduleFlags {
    ClientFlags server;
    std::string name;
    std::string reason;
    std::string overlap;
    std::string from;
    std::string to;
    bool catch_up = false;
    std::size_t count = 10;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
};

void add_text(bj::object& object, const char* name, const std::string& text) {
    if (!text.empty()) object[name] = text;
}

std::string rhythm_of(const bj::object& schedule) {
    const bj::value* spec = schedule.if_contains("spec");
    const bj::object* object = spec ? spec->if_object() : nullptr;
    if (!object) return "";
    const std::string cron = text_of(*object, "cron");
    if (cron.empty()) return "every " + text_of(*object, "every");
    const std::string zone = text_of(*object, "timeZone");
    return "'" + cron + "' " + (zone.empty() ? "UTC" : zone);
}

std::string schedule_line(const bj::object& schedule) {
    const std::string next = text_of(schedule, "next");
    std::string line = text_of(schedule, "name") + "  " + text_of(schedule, "status") + "  " +
                       rhythm_of(schedule) + "  next " + (next.empty() ? "never" : next) +
                       "  fired " + text_of(schedule, "fired") + ", skipped " +
                       text_of(schedule, "skipped") + ", missed " + text_of(schedule, "missed");
    if (text_of(schedule, "incident") == "true") line += "  incident";
    return line;
}

// Calls `each` with every object of a list in the schedule.
template <class Each>
void for_each(const bj::object& schedule, const char* name, const Each& each) {
    const bj::value* list = schedule.if_contains(name);
    if (!list || !list->is_array()) return;
    for (const bj::value& one : list->get_array())
        if (one.is_object()) each(one.get_object());
}

ExitCode print_schedule(const ClientFlags& flags, const client::Answer<bj::object>& schedule) {
    if (!schedule) return report(schedule.error());
    if (flags.format != Format::text) {
        print(flags.format, *schedule);
        return ExitCode::ok;
    }
    print_line(schedule_line(*schedule));
    if (const bj::value* running = schedule->if_contains("running");
        running && running->is_object())
        print_line("  runs " + text_of(running->get_object(), "workflow") + ", due " +
                   text_of(running->get_object(), "due") + "; queued " +
                   text_of(*schedule, "queued"));
    for_each(*schedule, "backfills", [](const bj::object& one) {
        print_line("  backfill from " + text_of(one, "next") + " to " + text_of(one, "to") + ", " +
                   text_of(one, "overlap"));
    });
    for_each(*schedule, "recent", [](const bj::object& one) {
        const std::string workflow = text_of(one, "workflow");
        print_line("  fired " + text_of(one, "at") + "  due " + text_of(one, "due") + "  " +
                   text_of(one, "why") + "  " + (workflow.empty() ? "event" : workflow));
    });
    for_each(*schedule, "upcoming", [](const bj::object& one) {
        print_line("  next  " + text_of(one, "at") + "  due " + text_of(one, "due"));
    });
    return ExitCode::ok;
}

Result<bj::object> schedule_body(const CreateScheduleFlags& flags) {
    HF_TRY(const auto arguments, json_argument("--arguments", flags.arguments));
    HF_TRY(const auto value, json_argument("--value", flags.value));
    bj::object body;
    add_text(body, "cron", flags.cron);
    add_text(body, "timeZone", flags.zone);
    add_text(body, "every", flags.every);
    add_text(body, "from", flags.from);
    add_text(body, "until", flags.until);
    add_text(body, "overlap", flags.overlap);
    add_text(body, "catchUp", flags.catch_up);
    add_text(body, "jitter", flags.jitter);
    if (!flags.start.empty()) {
        bj::object start{{"definition", flags.start}};
        if (arguments) start["arguments"] = *arguments;
        add_text(start, "businessKey", flags.business_key);
        body["start"] = std::move(start);
    }
    if (!flags.send.empty()) {
        bj::object send{{"event", flags.send}};
        if (value) send["value"] = *value;
        add_text(send, "correlationKey", flags.correlation);
        if (flags.workflow) send["workflow"] = *flags.workflow;
        add_text(send, "fanOut", flags.fan_out);
        body["send"] = std::move(send);
    }
    return body;
}

ExitCode create_schedule(const CreateScheduleFlags& flags, ServerCalls& calls) {
    const auto body = schedule_body(flags);
    if (!body) return report(body.error());
    client::Target target({"schedules", flags.name});
    if (!flags.replace) target.with("onlyNew", "true");
    return print_schedule(flags.server, calls.put(std::move(target).text(), *body));
}

std::string schedule_target(const ScheduleFlags& flags, const char* what = nullptr) {
    return what ? client::Target({"schedules", flags.name, what}).text()
                : client::Target({"schedules", flags.name}).text();
}

ExitCode show_schedule(const ScheduleFlags& flags, ServerCalls& calls) {
    return print_schedule(flags.server, calls.get(schedule_target(flags)));
}

ExitCode list_schedules(const ScheduleFlags& flags, ServerCalls& calls) {
    client::Target target({"schedules"});
    target.with_any("limit", flags.limit).with_any("cursor", flags.cursor);
    const auto page = calls.get(std::move(target).text());
    if (!page) return report(page.error());
    return print_page(*page, flags.server.format, schedule_line);
}

// What will fire, of all schedules, in the order of time.
ExitCode upcoming_firings(const ScheduleFlags& flags, ServerCalls& calls) {
    std::vector<std::pair<std::string, std::string>> firings;  // when, and the line
    std::optional<std::string> cursor;
    do {
        client::Target target({"schedules"});
        target.with("limit", "200")
            .with("upcoming", std::to_string(std::min<std::size_t>(flags.count, 100)))
            .with_any("cursor", cursor);
        const auto page = calls.get(std::move(target).text());
        if (!page) return report(page.error());
        for_each(*page, "items", [&](const bj::object& schedule) {
            for_each(schedule, "upcoming", [&](const bj::object& one) {
                firings.emplace_back(text_of(one, "at"), text_of(schedule, "name"));
            });
        });
        const std::string next = text_of(*page, "nextCursor");
        cursor = next.empty() ? std::nullopt : std::optional(next);
    } while (cursor);
    std::ranges::sort(firings);
    if (firings.size() > flags.count) firings.resize(flags.count);
    bj::array items;
    for (const auto& [at, name] : firings) items.push_back(bj::object{{"at", at}, {"name", name}});
    return print_page(
        {{"items", std::move(items)}, {"nextCursor", nullptr}}, flags.server.format,
        [](const bj::object& one) { return text_of(one, "at") + "  " + text_of(one, "name"); });
}

ExitCode change_schedule(const ScheduleFlags& flags, ServerCalls& calls, const char* what,
                         const char* past) {
    bj::object body;
    add_text(body, "reason", flags.reason);
    if (flags.catch_up) body["catchUp"] = true;
    const auto done = calls.post(schedule_target(flags, what), body);
    if (!done) return report(done.error());
    if (flags.server.format != Format::text)
        print(flags.server.format, *done);
    else
        print_line(std::string(past) + " " + flags.name);
    return ExitCode::ok;
}

ExitCode pause_schedule(const ScheduleFlags& flags, ServerCalls& calls) {
    return change_schedule(flags, calls, "pause", "paused");
}
ExitCode resume_schedule(const ScheduleFlags& flags, ServerCalls& calls) {
    return change_schedule(flags, calls, "resume", "resumed");
}

ExitCode trigger_schedule(const ScheduleFlags& flags, ServerCalls& calls) {
    bj::object body;
    add_text(body, "overlap", flags.overlap);
    return print_schedule(flags.server, calls.post(schedule_target(flags, "trigger"), body));
}

ExitCode backfill_schedule(const ScheduleFlags& flags, ServerCalls& calls) {
    bj::object body{{"from", flags.from}, {"to", flags.to}};
    add_text(body, "overlap", flags.overlap);
    return print_schedule(flags.server, calls.post(schedule_target(flags, "backfill"), body));
}

ExitCode clear_queue(const ScheduleFlags& flags, ServerCalls& calls) {
    return print_schedule(flags.server, calls.post(schedule_target(flags, "clear-queue")));
}

ExitCode remove_schedule(const ScheduleFlags& flags, ServerCalls& calls) {
    const auto removed = calls.remove(schedule_target(flags));
    if (!removed) return report(removed.error());
    if (flags.server.format == Format::text) print_line("removed " + flags.name);
    return ExitCode::ok;
}

void add_create(CLI::App& schedules, Action& chosen) {
    auto flags = std::make_shared<CreateScheduleFlags>();
    CLI::App* command = schedules.add_subcommand("create", "Create a schedule");
    command->add_option("name", flags->name, "Its name")->required();
    command->add_option("--cron", flags->cron,
                        "When: minute hour day month weekday, such as '0 2 * * *'");
    command->add_option("--zone", flags->zone, "Time zone of --cron, such as Europe/Berlin");
    command->add_option("--every", flags->every, "Instead of --cron: an interval, such as 15m");
    command->add_option("--from", flags->from, "First time that may be due");
    command->add_option("--until", flags->until, "Last time that may be due");
    command->add_option("--start", flags->start, "What: the definition that it starts");
    command->add_option("--arguments", flags->arguments, "Of the workflow: JSON, @FILE or -");
    command->add_option("--business-key", flags->business_key,
                        "Of the workflow; ${due} in it is the due time");
    command->add_option("--send", flags->send, "Instead of --start: the event that it sends");
    command->add_option("--value", flags->value, "Of the event: JSON, @FILE or -");
    command->add_option("--correlation-key", flags->correlation, "Of the event");
    command->add_option("--workflow", flags->workflow,
                        "Workflow id or business key of the only receiver");
    command->add_option("--fan-out", flags->fan_out,
                        "one (default), or all: every workflow that waits for it now");
    command->add_option("--overlap", flags->overlap,
                        "While the one before still runs: skip (default), queue, cancel or allow");
    command->add_option("--catch-up", flags->catch_up,
                        "How late it may fire after an outage; 1h by default");
    command->add_option("--jitter", flags->jitter, "Fire up to so much later");
    command->add_flag("--replace", flags->replace, "Change the one of this name, if there is one");
    choose(*command, chosen, flags, create_schedule);
}

}  // namespace

void add_schedules(CLI::App& program, Action& chosen) {
    CLI::App* schedules = program.add_subcommand(
        "schedules", "Start workflows and send events by time: cron or intervals");
    schedules->require_subcommand(1);
    add_create(*schedules, chosen);
    const auto add = [&](const char* name, const char* help, auto work) {
        auto flags = std::make_shared<ScheduleFlags>();
        CLI::App* command = schedules->add_subcommand(name, help);
        choose(*command, chosen, flags, work);
        return std::pair{command, flags};
    };
    const auto add_one = [&](const char* name, const char* help, auto work) {
        auto added = add(name, help, work);
        added.first->add_option("name", added.second->name, "Name of the schedule")->required();
        return added;
    };
    const auto [listing, listed] = add("list", "List the schedules", list_schedules);
    listing->add_option("--limit", listed->limit, "Schedules per page");
    listing->add_option("--cursor", listed->cursor, "Cursor of the previous page");
    const auto [coming, shown] =
        add("upcoming", "What fires next, of all schedules", upcoming_firings);
    coming->add_option("--count", shown->count, "How many firings")->check(CLI::Range(1, 1000));
    add_one("show", "Show a schedule, what it did and when it fires next", show_schedule);
    const auto [pausing, paused] = add_one("pause", "Pause a schedule", pause_schedule);
    pausing->add_option("--reason", paused->reason, "Reason, recorded in the history");
    const auto [resuming, resumed] =
        add_one("resume", "Let a paused schedule go on", resume_schedule);
    resuming->add_option("--reason", resumed->reason, "Reason, recorded in the history");
    resuming->add_flag("--catch-up", resumed->catch_up,
                       "Make up for what was due during the pause");
    const auto [firing, fired] =
        add_one("trigger", "Fire now, also while it is paused", trigger_schedule);
    firing->add_option("--overlap", fired->overlap, "Instead of the schedule's");
    const auto [filling, filled] =
        add_one("backfill", "Fire for due times of the past", backfill_schedule);
    filling->add_option("--from", filled->from, "First time, such as 2026-01-01T00:00:00Z")
        ->required();
    filling->add_option("--to", filled->to, "Last time")->required();
    filling->add_option("--overlap", filled->overlap,
                        "queue, one after another (default), or allow, all at once");
    add_one("clear-queue", "Drop its queue and its backfills", clear_queue);
    add_one("remove", "Remove a schedule; what it started goes on", remove_schedule);
}

}  // namespace holdfast::app
