// migrate: another version of the definition for a running workflow.
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct MigrateFlags {
    ClientFlags server;
    std::string id;
    std::uint64_t to = 0;
    std::vector<std::string> mapped;
    std::string reason;
    std::string if_match;
    bool dry_run = false;
};

std::string line_of(const std::string& member, const bj::object& item) {
    if (member == "carried") {
        const std::string from = text_of(item, "from");
        const std::string to = text_of(item, "to");
        return "  goes on  " + from + (from == to ? "" : " as " + to) + " (" +
               text_of(item, "count") + ")";
    }
    if (member == "problems")
        return "  problem  " + text_of(item, "element") + ": " + text_of(item, "why");
    return (member == "begun" ? "  begins   " : "  ends     ") + text_of(item, "element") + " (" +
           text_of(item, "count") + ")";
}

void print_report(const bj::object& report) {
    for (const char* member : {"carried", "begun", "ended", "problems"}) {
        const bj::value* items = report.if_contains(member);
        if (!items || !items->is_array()) continue;
        for (const bj::value& item : items->get_array())
            if (item.is_object()) print_line(line_of(member, item.get_object()));
    }
}

ExitCode migrate(const MigrateFlags& flags, ServerCalls& calls) {
    const auto mapped = pairs("--map", flags.mapped);
    if (!mapped) return report(mapped.error());
    const auto id = workflow_id(calls, flags.id);
    if (!id) return report(id.error());
    bj::object mapping;
    for (const auto& [from, to] : *mapped) mapping[from] = to;
    bj::object body{{"to", flags.to}, {"mapping", std::move(mapping)}, {"dryRun", flags.dry_run}};
    if (!flags.reason.empty()) body["reason"] = flags.reason;
    const auto done =
        calls.post(client::Target({"workflows", *id, "migrate"}).text(), body, flags.if_match);
    if (!done) return report(done.error());
    const bool migrated = text_of(*done, "migrated") == "true";
    const bj::value* problems = done->if_contains("problems");
    const bool can = !problems || !problems->is_array() || problems->get_array().empty();
    if (flags.server.format != Format::text) {
        print(flags.server.format, *done);
    } else {
        print_line((migrated ? "migrated "
                    : can    ? "can migrate "
                             : "cannot migrate ") +
                   *id + " from version " + text_of(*done, "from") + " to " + text_of(*done, "to"));
        print_report(*done);
    }
    return can ? ExitCode::ok : ExitCode::failed;
}

}  // namespace

void add_migrate(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<MigrateFlags>();
    CLI::App* command =
        program.add_subcommand("migrate", "Take a workflow over to another version");
    command->add_option("id", flags->id, "Workflow id or business key")->required();
    command->add_option("--to", flags->to, "Version of its definition")->required();
    command->add_option("--map", flags->mapped,
                        "OLD=NEW: an element, and what it is there; may be repeated");
    command->add_option("--reason", flags->reason, "Reason, recorded in the history");
    command->add_option("--if-match", flags->if_match, "Its version; * for any");
    command->add_flag("--dry-run", flags->dry_run, "Only say what would become of it");
    choose(*command, chosen, flags, migrate);
}

}  // namespace holdfast::app
