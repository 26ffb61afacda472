// What the server keeps beside workflows: definitions, conflicts, dead events, stranded workflows.
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct RecordListFlags {
    ClientFlags server;
    std::optional<std::string> workflow;
    std::optional<std::string> resolution;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
};

struct RecordFlags {
    ClientFlags server;
    std::string id;
    std::optional<std::string> version;
    std::optional<std::string> workflow;
};

std::string definition_line(const bj::object& definition) {
    return text_of(definition, "key") + "  version " + text_of(definition, "version") + "  " +
           text_of(definition, "kind") + "  since " + text_of(definition, "createdAt");
}

std::string conflict_line(const bj::object& conflict) {
    const std::string user = text_of(conflict, "user");
    return text_of(conflict, "at") + "  " + text_of(conflict, "instance") + "  " +
           text_of(conflict, "resolution") + "  expected version " + text_of(conflict, "expected") +
           ", was " + text_of(conflict, "actual") + (user.empty() ? "" : "  by " + user) + "  " +
           text_of(conflict, "paths");
}

std::string dead_event_line(const bj::object& event) {
    return text_of(event, "id") + "  " + text_of(event, "name") + "  to " +
           text_of(event, "target") + ", which was " + text_of(event, "targetStatus") + "  at " +
           text_of(event, "endedAt");
}

std::string stranded_line(const bj::object& stranded) {
    return text_of(stranded, "workflow") + "  needs " + text_of(stranded, "program") + "  since " +
           text_of(stranded, "since");
}

using Summarize = std::string (*)(const bj::object&);

// A page of the list at this path.
auto listing(std::string_view path, Summarize summarize) {
    return [path, summarize](const RecordListFlags& flags, ServerCalls& calls) {
        client::Target target({path});
        target.with_any("workflow", flags.workflow).with_any("resolution", flags.resolution);
        target.with_any("limit", flags.limit).with_any("cursor", flags.cursor);
        const auto page = calls.get(std::move(target).text());
        if (!page) return report(page.error());
        return print_page(*page, flags.server.format, summarize);
    };
}

ExitCode print_one(Format format, const client::Answer<bj::object>& one) {
    if (!one) return report(one.error());
    if (format == Format::text)
        print_lines(described(*one));
    else
        print(format, *one);
    return ExitCode::ok;
}

ExitCode show_definition(const RecordFlags& flags, ServerCalls& calls) {
    return print_one(flags.server.format,
                     calls.get(client::Target({"definitions", flags.id}).text()));
}

// As it was deployed.
ExitCode print_model(const RecordFlags& flags, ServerCalls& calls) {
    client::Target target({"definitions", flags.id, "model"});
    target.with_any("version", flags.version);
    const auto model = calls.get_text(std::move(target).text());
    if (!model) return report(model.error());
    print_text(*model);
    return ExitCode::ok;
}

ExitCode show_dead_event(const RecordFlags& flags, ServerCalls& calls) {
    return print_one(flags.server.format,
                     calls.get(client::Target({"dead-events", flags.id}).text()));
}

ExitCode replay_dead_event(const RecordFlags& flags, ServerCalls& calls) {
    bj::object body;
    if (flags.workflow) body["workflow"] = *flags.workflow;
    const auto replayed =
        calls.post(client::Target({"dead-events", flags.id, "replay"}).text(), body);
    if (!replayed) return report(replayed.error());
    if (flags.server.format == Format::text)
        print_line("replayed " + flags.id + ": " + text_of(*replayed, "outcome"));
    else
        print(flags.server.format, *replayed);
    return ExitCode::ok;
}

std::shared_ptr<RecordListFlags> add_list_of(CLI::App& noun, Action& chosen, const char* help,
                                             std::string_view path, Summarize summarize) {
    auto flags = std::make_shared<RecordListFlags>();
    CLI::App* list = noun.add_subcommand("list", help);
    list->add_option("--limit", flags->limit, "Lines per page");
    list->add_option("--cursor", flags->cursor, "Cursor of the previous page");
    choose(*list, chosen, flags, listing(path, summarize));
    return flags;
}

template <class Work>
std::pair<CLI::App*, std::shared_ptr<RecordFlags>> add_verb(CLI::App& noun, Action& chosen,
                                                            const char* name, const char* help,
                                                            const char* what, Work work) {
    auto flags = std::make_shared<RecordFlags>();
    CLI::App* command = noun.add_subcommand(name, help);
    command->add_option("id", flags->id, what)->required();
    choose(*command, chosen, flags, work);
    return {command, flags};
}

}  // namespace

void add_definitions(CLI::App& program, Action& chosen) {
    CLI::App* noun = program.add_subcommand("definitions", "Show the definitions of workflows");
    noun->require_subcommand(1);
    add_list_of(*noun, chosen, "List the definitions", "definitions", definition_line);
    add_verb(*noun, chosen, "show", "Show a definition", "Definition key", show_definition);
    const auto [model, flags] =
        add_verb(*noun, chosen, "model", "Print the BPMN model", "Definition key", print_model);
    model->add_option("--version", flags->version, "Version; default: the newest");
}

void add_conflicts(CLI::App& program, Action& chosen) {
    CLI::App* noun = program.add_subcommand("conflicts", "Show changes that named a stale version");
    noun->require_subcommand(1);
    const auto flags =
        add_list_of(*noun, chosen, "List conflicts, newest first", "conflicts", conflict_line);
    CLI::App* list = noun->get_subcommand("list");
    list->add_option("--workflow", flags->workflow, "Id or business key of the workflow");
    list->add_option("--resolution", flags->resolution, "How it was resolved");
}

void add_dead_events(CLI::App& program, Action& chosen) {
    CLI::App* noun = program.add_subcommand(
        "dead-events", "Manage events whose workflow ended before they arrived");
    noun->require_subcommand(1);
    add_list_of(*noun, chosen, "List dead events, newest first", "dead-events", dead_event_line);
    add_verb(*noun, chosen, "show", "Show a dead event", "Event id", show_dead_event);
    const auto [replay, flags] =
        add_verb(*noun, chosen, "replay", "Send it again", "Event id", replay_dead_event);
    replay->add_option("--to", flags->workflow, "Id of another workflow");
}

void add_stranded(CLI::App& program, Action& chosen) {
    CLI::App* noun =
        program.add_subcommand("stranded", "Show workflows whose program no live node has");
    noun->require_subcommand(1);
    auto flags = std::make_shared<RecordListFlags>();
    CLI::App* list = noun->add_subcommand("list", "List them, oldest first");
    list->add_option("--cursor", flags->cursor, "Cursor of the previous page");
    choose(*list, chosen, flags, listing("stranded", stranded_line));
}

}  // namespace holdfast::app
