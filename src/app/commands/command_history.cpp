#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "app/commands/server_calls.h"

namespace holdfast::app {
namespace {

struct HistoryFlags {
    ClientFlags server;
    std::string id;
    client::Version from = 1;
    std::optional<std::size_t> limit;
};

std::string line_of(const client::HistoryEntry& entry) {
    return std::to_string(entry.version) + "  " + entry.at + "  " + entry.type + "  " +
           boost::json::serialize(entry.payload);
}

// Without a limit all pages; text and jsonl are printed as the pages arrive.
ExitCode history(const HistoryFlags& flags, client::Client& client) {
    const auto id = workflow_id(flags.server, flags.id);
    if (!id) return report(id.error());
    boost::json::array items;
    for (std::optional<client::Version> from = flags.from; from;) {
        auto page = client.history(*id, *from, flags.limit);
        if (!page) return report(page.error());
        for (client::HistoryEntry& entry : page->items) {
            switch (flags.server.format) {
                case Format::text: print_line(line_of(entry)); break;
                case Format::jsonl: print(Format::jsonl, entry.raw); break;
                case Format::json: items.push_back(std::move(entry.raw)); break;
            }
        }
        from = flags.limit ? std::nullopt : page->next_from;
    }
    if (flags.server.format == Format::json)
        print(Format::json, boost::json::object{{"items", std::move(items)}});
    return ExitCode::ok;
}

}  // namespace

void add_history(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<HistoryFlags>();
    CLI::App* command = program.add_subcommand("history", "Show the history of a workflow");
    command->add_option("id", flags->id, "Workflow id or business key")->required();
    command->add_option("--from", flags->from, "First version to show")->capture_default_str();
    command->add_option("--limit", flags->limit, "Show at most this many changes; default: all");
    add_client_flags(*command, flags->server);
    command->callback([flags, &chosen] {
        chosen = [flags] {
            return with_server(flags->server,
                               [&](auto& client) { return history(*flags, client); });
        };
    });
}

}  // namespace holdfast::app
