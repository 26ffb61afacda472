// bulk: the same change for every workflow that a query finds.
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct BulkFlags {
    ClientFlags server;
    std::vector<std::string> where;
    std::string reason;
    bool dry_run = false;
    std::uint64_t to = 0;
    std::vector<std::string> mapped;
    std::string event;
    std::optional<std::string> value;
};

struct JobFlags {
    ClientFlags server;
    std::string id;
    std::string reason;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
};

std::string bulk_line(const bj::object& job) {
    const bj::value* action = job.if_contains("action");
    const std::string what =
        action && action->is_object() ? text_of(action->get_object(), "do") : "";
    const std::string matched = text_of(job, "matched");
    return text_of(job, "id") + "  " + text_of(job, "status") + "  " + what + "  " +
           text_of(job, "done") + " done, " + text_of(job, "refused") + " refused" +
           (matched.empty() ? "" : " of " + matched) + "  since " + text_of(job, "createdAt");
}

void print_refusals(const bj::object& job) {
    const bj::value* refusals = job.if_contains("refusals");
    if (!refusals || !refusals->is_array()) return;
    for (const bj::value& one : refusals->get_array())
        if (one.is_object())
            print_line("  " + text_of(one.get_object(), "count") +
                       " refused: " + text_of(one.get_object(), "why") + " (" +
                       text_of(one.get_object(), "example") + ")");
}

void print_plan(const bj::object& plan) {
    print_line("would change " + text_of(plan, "matched") +
               (text_of(plan, "more") == "true" ? " workflows or more" : " workflows"));
    const bj::value* sample = plan.if_contains("sample");
    if (!sample || !sample->is_array()) return;
    for (const bj::value& one : sample->get_array()) {
        if (!one.is_object()) continue;
        const std::string why = text_of(one.get_object(), "why");
        print_line("  " + text_of(one.get_object(), "workflow") +
                   (why.empty() ? "" : "  refused: " + why));
    }
}

Result<bj::object> body_of(const BulkFlags& flags, bj::object action) {
    HF_TRY(const auto where, pairs("--where", flags.where));
    HF_TRY(const auto mapped, pairs("--map", flags.mapped));
    HF_TRY(const auto value, json_argument("--value", flags.value));
    bj::object query;
    for (const auto& [name, text] : where) query[name] = text;
    if (action.at("do") == "migrate") {
        bj::object mapping;
        for (const auto& [from, to] : mapped) mapping[from] = to;
        action["to"] = flags.to;
        action["mapping"] = std::move(mapping);
    }
    if (action.at("do") == "send") action["event"] = flags.event;
    if (value) action["value"] = *value;
    bj::object body{{"query", std::move(query)}, {"action", std::move(action)}};
    if (!flags.reason.empty()) body["reason"] = flags.reason;
    body["dryRun"] = flags.dry_run;
    return body;
}

ExitCode begin(const BulkFlags& flags, ServerCalls& calls, const char* what) {
    const auto body = body_of(flags, {{"do", what}});
    if (!body) return report(body.error());
    const auto done = calls.post(client::Target({"bulk-jobs"}).text(), *body);
    if (!done) return report(done.error());
    if (flags.server.format != Format::text)
        print(flags.server.format, *done);
    else if (flags.dry_run)
        print_plan(*done);
    else
        print_line("began " + text_of(*done, "id") + "; 'holdfast bulk show " +
                   text_of(*done, "id") + "' says how far it is");
    return ExitCode::ok;
}

ExitCode print_job(const JobFlags& flags, const client::Answer<bj::object>& job) {
    if (!job) return report(job.error());
    if (flags.server.format != Format::text) {
        print(flags.server.format, *job);
        return ExitCode::ok;
    }
    print_line(bulk_line(*job));
    print_refusals(*job);
    return ExitCode::ok;
}

ExitCode show(const JobFlags& flags, ServerCalls& calls) {
    return print_job(flags, calls.get(client::Target({"bulk-jobs", flags.id}).text()));
}

ExitCode stop(const JobFlags& flags, ServerCalls& calls) {
    bj::object body;
    if (!flags.reason.empty()) body["reason"] = flags.reason;
    return print_job(flags,
                     calls.post(client::Target({"bulk-jobs", flags.id, "stop"}).text(), body));
}

ExitCode list(const JobFlags& flags, ServerCalls& calls) {
    client::Target target({"bulk-jobs"});
    target.with_any("limit", flags.limit).with_any("cursor", flags.cursor);
    const auto page = calls.get(std::move(target).text());
    if (!page) return report(page.error());
    return print_page(*page, flags.server.format, bulk_line);
}

// The command is the action's name.
std::pair<CLI::App*, std::shared_ptr<BulkFlags>> add_action(CLI::App& bulk, Action& chosen,
                                                            const char* what, const char* help) {
    auto flags = std::make_shared<BulkFlags>();
    CLI::App* command = bulk.add_subcommand(what, help);
    command
        ->add_option("--where", flags->where,
                     "FILTER=VALUE of the list of workflows: definition=order, status=open, "
                     "path.NAME=TEXT, ...; all must hold")
        ->required();
    command->add_option("--reason", flags->reason, "Reason, recorded in every history");
    command->add_flag("--dry-run", flags->dry_run, "Only say what it would do");
    choose(*command, chosen, flags,
           [what](const BulkFlags& its, ServerCalls& calls) { return begin(its, calls, what); });
    return {command, flags};
}

}  // namespace

void add_bulk(CLI::App& program, Action& chosen) {
    CLI::App* bulk = program.add_subcommand("bulk", "Change all workflows that a query finds");
    bulk->require_subcommand(1);
    add_action(*bulk, chosen, "cancel", "Cancel them");
    add_action(*bulk, chosen, "pause", "Let them rest");
    add_action(*bulk, chosen, "resume", "Let paused ones go on");
    add_action(*bulk, chosen, "retry", "Try again what failed");
    const auto [migrate, moved] =
        add_action(*bulk, chosen, "migrate", "Take them over to another version");
    migrate->add_option("--to", moved->to, "Version of their definition")->required();
    migrate->add_option("--map", moved->mapped,
                        "OLD=NEW: an element, and what it is there; may be repeated");
    const auto [send, sent] = add_action(*bulk, chosen, "send", "Send each an event");
    send->add_option("event", sent->event, "Name of the event")->required();
    send->add_option("--value", sent->value, "Its value: JSON, @FILE or -");
    const auto add = [&](const char* name, const char* help, auto work) {
        auto flags = std::make_shared<JobFlags>();
        CLI::App* command = bulk->add_subcommand(name, help);
        if (std::string_view(name) != "list")
            command->add_option("id", flags->id, "Id of the bulk job")->required();
        choose(*command, chosen, flags, work);
        return std::pair{command, flags};
    };
    add("show", "Show how far a bulk job is", show);
    const auto [stopping, stopped] = add("stop", "End a bulk job; what is done stays done", stop);
    stopping->add_option("--reason", stopped->reason, "Reason, recorded in the history");
    const auto [listing, listed] = add("list", "List bulk jobs, newest first", list);
    listing->add_option("--limit", listed->limit, "Jobs per page");
    listing->add_option("--cursor", listed->cursor, "Cursor of the previous page");
}

}  // namespace holdfast::app
