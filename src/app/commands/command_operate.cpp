// Commands for operators: dead letters, nodes, retention.
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct LetterFlags {
    ClientFlags server;
    std::string id;
    std::optional<std::string> reason;
    std::optional<std::string> workflow;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
};

struct NodeFlags {
    ClientFlags server;
};

struct RetentionFlags {
    ClientFlags server;
    bool dry_run = false;
    bool accept_clock = false;
};

std::string letter_line(const bj::object& letter) {
    return text_of(letter, "id") + "  " + text_of(letter, "reason") + "  " +
           text_of(letter, "type") + "  of " + text_of(letter, "workflow") + "  at " +
           text_of(letter, "at") + "  after " + text_of(letter, "attempts") + " attempts";
}

std::string node_line(const bj::object& node) {
    return text_of(node, "name") + "  " + (text_of(node, "alive") == "true" ? "alive" : "gone") +
           "  since " + text_of(node, "startedAt") + "  lease until " + text_of(node, "leaseUntil");
}

ExitCode list_letters(const LetterFlags& flags, ServerCalls& calls) {
    client::Target target({"dead-letters"});
    target.with_any("reason", flags.reason).with_any("workflow", flags.workflow);
    target.with_any("limit", flags.limit).with_any("cursor", flags.cursor);
    const auto page = calls.get(std::move(target).text());
    if (!page) return report(page.error());
    return print_page(*page, flags.server.format, letter_line);
}

ExitCode show_letter(const LetterFlags& flags, ServerCalls& calls) {
    const auto letter = calls.get(client::Target({"dead-letters", flags.id}).text());
    if (!letter) return report(letter.error());
    if (flags.server.format == Format::text)
        print_lines(described(*letter));
    else
        print(flags.server.format, *letter);
    return ExitCode::ok;
}

ExitCode redrive_letter(const LetterFlags& flags, ServerCalls& calls) {
    const auto redriven = calls.post(client::Target({"dead-letters", flags.id, "redrive"}).text());
    if (!redriven) return report(redriven.error());
    if (flags.server.format == Format::text)
        print_line("redriven " + flags.id + " of " + text_of(*redriven, "workflow"));
    else
        print(flags.server.format, *redriven);
    return ExitCode::ok;
}

ExitCode remove_letter(const LetterFlags& flags, ServerCalls& calls) {
    const auto removed = calls.remove(client::Target({"dead-letters", flags.id}).text());
    if (!removed) return report(removed.error());
    if (flags.server.format == Format::text) print_line("removed " + flags.id);
    return ExitCode::ok;
}

ExitCode list_nodes(const NodeFlags& flags, ServerCalls& calls) {
    const auto page = calls.get(client::Target({"nodes"}).text());
    if (!page) return report(page.error());
    return print_page(*page, flags.server.format, node_line);
}

ExitCode run_retention(const RetentionFlags& flags, ServerCalls& calls) {
    client::Target target({"retention", "run"});
    if (flags.dry_run) target.with("dryRun", "true");
    if (flags.accept_clock) target.with("acceptClock", "true");
    const auto done = calls.post(std::move(target).text());
    if (!done) return report(done.error());
    if (flags.server.format != Format::text)
        print(flags.server.format, *done);
    else
        print_line((flags.dry_run ? "would delete " : "deleted ") + text_of(*done, "deleted") +
                   " workflows, " + (flags.dry_run ? "would cancel " : "cancelled ") +
                   text_of(*done, "cancelled") + "; " + text_of(*done, "eligible") +
                   " eligible workflows remain");
    return ExitCode::ok;
}

}  // namespace

void add_dead_letters(CLI::App& program, Action& chosen) {
    CLI::App* letters =
        program.add_subcommand("dead-letters", "Manage signals that could not be processed");
    letters->require_subcommand(1);
    auto flags = std::make_shared<LetterFlags>();
    CLI::App* list = letters->add_subcommand("list", "List dead letters, oldest first");
    list->add_option("--reason", flags->reason,
                     "undecodable, missingDefinition, missingInstance, inconsistentSnapshot or "
                     "tooManyAttempts");
    list->add_option("--workflow", flags->workflow, "Id or business key of the workflow");
    list->add_option("--limit", flags->limit, "Dead letters per page");
    list->add_option("--cursor", flags->cursor, "Cursor of the previous page");
    choose(*list, chosen, flags, list_letters);
    const auto add = [&](const char* name, const char* help, auto work) {
        auto its = std::make_shared<LetterFlags>();
        CLI::App* command = letters->add_subcommand(name, help);
        command->add_option("id", its->id, "Dead letter id")->required();
        choose(*command, chosen, its, work);
    };
    add("show", "Show a dead letter, with its bytes", show_letter);
    add("redrive", "Put a dead letter back into the queue", redrive_letter);
    add("remove", "Delete a dead letter", remove_letter);
}

void add_nodes(CLI::App& program, Action& chosen) {
    CLI::App* nodes = program.add_subcommand("nodes", "Show the nodes that share the store");
    nodes->require_subcommand(1);
    auto flags = std::make_shared<NodeFlags>();
    choose(*nodes->add_subcommand("list", "List all nodes with their leases"), chosen, flags,
           list_nodes);
}

void add_retention(CLI::App& program, Action& chosen) {
    CLI::App* retention = program.add_subcommand("retention", "Delete old ended workflows");
    retention->require_subcommand(1);
    auto flags = std::make_shared<RetentionFlags>();
    CLI::App* command =
        retention->add_subcommand("run", "Run retention once, with a bounded number of deletions");
    command->add_flag("--dry-run", flags->dry_run, "Count without deleting");
    command->add_flag("--accept-clock", flags->accept_clock, "Trust the clock although it jumped");
    choose(*command, chosen, flags, run_retention);
}

}  // namespace holdfast::app
