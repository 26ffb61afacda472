// result, pause, resume, retry, release, and checkpoints of a workflow.
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

constexpr const char* workflow_help = "Workflow id or business key";

struct ResultFlags {
    ClientFlags server;
    std::string id;
    bool wait = false;
};

struct PauseFlags {
    ClientFlags server;
    std::string id;
    std::string if_match = "*";
    std::string reason;
};

struct ReleaseFlags {
    ClientFlags server;
    std::string id;
    std::optional<std::string> state;
};

struct CheckpointFlags {
    ClientFlags server;
    std::string id;
    std::string name;
    std::string if_match;
    std::string business_key;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
};

bool is_open(const bj::object& outcome) {
    const std::string status = text_of(outcome, "status");
    return status == "open" || status == "running" || status == "suspended";
}

// One poll of the server takes a minute at most.
client::Answer<bj::object> poll_result(const ResultFlags& flags, const std::string& id,
                                       ServerCalls& calls) {
    const char* const timeout = flags.wait ? "25s" : "0s";
    for (;;) {
        client::Target target({"workflows", id, "result"});
        target.with("timeout", timeout);
        auto outcome = calls.get(std::move(target).text());
        if (!outcome || !flags.wait || !is_open(*outcome)) return outcome;
    }
}

ExitCode show_result(const ResultFlags& flags, ServerCalls& calls) {
    const auto id = workflow_id(calls, flags.id);
    if (!id) return report(id.error());
    const auto outcome = poll_result(flags, *id, calls);
    if (!outcome) return report(outcome.error());
    const std::string status = text_of(*outcome, "status");
    if (flags.server.format != Format::text)
        print(flags.server.format, *outcome);
    else if (is_open(*outcome))
        print_error("holdfast: " + *id + " has not ended; --wait waits for it, 'holdfast show " +
                    *id + "' says what it waits for");
    else
        print_lines(indented(outcome->at("result"), status + " "));
    return status == "succeeded" ? ExitCode::ok : ExitCode::failed;
}

// `past` is the verb as what has been done.
ExitCode change_life(const PauseFlags& flags, ServerCalls& calls, const char* verb,
                     const char* past) {
    const auto id = workflow_id(calls, flags.id);
    if (!id) return report(id.error());
    bj::object body;
    if (!flags.reason.empty()) body["reason"] = flags.reason;
    const auto done =
        calls.post(client::Target({"workflows", *id, verb}).text(), body, flags.if_match);
    if (!done) return report(done.error());
    if (flags.server.format == Format::text)
        print_line(std::string(past) + " " + *id + " (version " + text_of(*done, "version") + ")");
    else
        print(flags.server.format, *done);
    return ExitCode::ok;
}

ExitCode release(const ReleaseFlags& flags, ServerCalls& calls) {
    const auto id = workflow_id(calls, flags.id);
    if (!id) return report(id.error());
    const auto state = json_argument("--state", flags.state);
    if (!state) return report(state.error());
    bj::object body;
    if (*state) body["state"] = **state;
    const auto done = calls.post(client::Target({"workflows", *id, "release"}).text(), body);
    if (!done) return report(done.error());
    if (flags.server.format == Format::text)
        print_line("released " + *id + " (version " + text_of(*done, "version") + ")");
    else
        print(flags.server.format, *done);
    return ExitCode::ok;
}

std::string checkpoint_line(const bj::object& checkpoint) {
    return text_of(checkpoint, "name") + "  version " + text_of(checkpoint, "version") + "  at " +
           text_of(checkpoint, "createdAt");
}

ExitCode list_checkpoints(const CheckpointFlags& flags, ServerCalls& calls) {
    const auto id = workflow_id(calls, flags.id);
    if (!id) return report(id.error());
    client::Target target({"workflows", *id, "checkpoints"});
    target.with_any("limit", flags.limit).with_any("cursor", flags.cursor);
    const auto page = calls.get(std::move(target).text());
    if (!page) return report(page.error());
    return print_page(*page, flags.server.format, checkpoint_line);
}

// `said` is what was done to the checkpoint.
ExitCode change_checkpoint(const CheckpointFlags& flags, ServerCalls& calls,
                           std::initializer_list<std::string_view> rest, const bj::object& body,
                           const std::string& said) {
    const auto id = workflow_id(calls, flags.id);
    if (!id) return report(id.error());
    std::string target = client::Target({"workflows", *id, "checkpoints"}).text();
    for (const std::string_view segment : rest) target += '/' + client::percent_encoded(segment);
    const auto done = calls.post(target, body, flags.if_match);
    if (!done) return report(done.error());
    if (flags.server.format == Format::text)
        print_line(said + " '" + flags.name + "': workflow " +
                   (done->contains("id") ? text_of(*done, "id") : *id) + " (version " +
                   text_of(*done, "version") + ")");
    else
        print(flags.server.format, *done);
    return ExitCode::ok;
}

ExitCode create_checkpoint(const CheckpointFlags& flags, ServerCalls& calls) {
    return change_checkpoint(flags, calls, {}, {{"name", flags.name}}, "created checkpoint");
}

ExitCode restore_checkpoint(const CheckpointFlags& flags, ServerCalls& calls) {
    return change_checkpoint(flags, calls, {flags.name, "restore"}, {}, "restored checkpoint");
}

ExitCode fork_checkpoint(const CheckpointFlags& flags, ServerCalls& calls) {
    bj::object body;
    if (!flags.business_key.empty()) body["businessReference"] = {{"key", flags.business_key}};
    return change_checkpoint(flags, calls, {flags.name, "fork"}, body, "forked checkpoint");
}

void add_change(CLI::App& command, Action& chosen, const char* verb, const char* past) {
    auto flags = std::make_shared<PauseFlags>();
    command.add_option("id", flags->id, workflow_help)->required();
    command.add_option("--if-match", flags->if_match, "Its version; * for any")
        ->capture_default_str();
    command.add_option("--reason", flags->reason, "Reason, recorded in the history");
    choose(command, chosen, flags, [verb, past](const PauseFlags& its, ServerCalls& calls) {
        return change_life(its, calls, verb, past);
    });
}

}  // namespace

void add_lifecycle(CLI::App& program, Action& chosen) {
    auto result = std::make_shared<ResultFlags>();
    CLI::App* command = program.add_subcommand("result", "Show how a workflow ended");
    command->add_option("id", result->id, workflow_help)->required();
    command->add_flag("--wait", result->wait, "Wait until it has ended");
    choose(*command, chosen, result, show_result);
    add_change(*program.add_subcommand("pause", "Let a workflow rest until it is resumed"), chosen,
               "pause", "paused");
    add_change(*program.add_subcommand("resume", "Let a paused workflow go on"), chosen, "resume",
               "resumed");
    add_change(*program.add_subcommand("retry", "Try again now what failed"), chosen, "retry",
               "retried");
    auto flags = std::make_shared<ReleaseFlags>();
    CLI::App* released =
        program.add_subcommand("release", "Release a workflow whose state failed its checksum");
    released->add_option("id", flags->id, workflow_help)->required();
    released->add_option("--state", flags->state, "The state it goes on with: JSON, @FILE or -");
    choose(*released, chosen, flags, release);
}

void add_checkpoints(CLI::App& program, Action& chosen) {
    CLI::App* checkpoints =
        program.add_subcommand("checkpoints", "Save, restore and fork the state of workflows");
    checkpoints->require_subcommand(1);
    const auto add = [&](const char* verb, const char* help, auto work) {
        auto flags = std::make_shared<CheckpointFlags>();
        CLI::App* command = checkpoints->add_subcommand(verb, help);
        command->add_option("id", flags->id, workflow_help)->required();
        choose(*command, chosen, flags, work);
        return std::pair{command, flags};
    };
    const auto [list, listed] = add("list", "List the checkpoints of a workflow", list_checkpoints);
    list->add_option("--limit", listed->limit, "Checkpoints per page");
    list->add_option("--cursor", listed->cursor, "Cursor of the previous page");
    const auto add_named = [&](const char* verb, const char* help, auto work) {
        auto added = add(verb, help, work);
        added.first->add_option("name", added.second->name, "Name of the checkpoint")->required();
        return added;
    };
    add_named("create", "Save the state under a name", create_checkpoint);
    const auto [restore, restored] =
        add_named("restore", "Make the saved state the current one", restore_checkpoint);
    restore->add_option("--if-match", restored->if_match, "Version of the workflow; * for any")
        ->required();
    const auto [fork, forked] =
        add_named("fork", "Start a workflow with the saved state", fork_checkpoint);
    fork->add_option("--business-key", forked->business_key, "Business key of the new workflow");
}

}  // namespace holdfast::app
