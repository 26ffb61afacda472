#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "app/commands/client_flags.h"

namespace holdfast::app {
namespace {

enum class Extent { one_page, all_pages };

struct ListFlags {
    ClientFlags server;
    client::ListQuery query;
    std::vector<std::string> parts;
    std::optional<std::string> contains;
    std::optional<std::string> meta_contains;
    std::vector<std::string> paths;
    Extent extent = Extent::one_page;
};

Result<client::ListQuery> query_of(const ListFlags& flags) {
    client::ListQuery query = flags.query;
    HF_TRY(query.business_parts, pairs("--part", flags.parts));
    HF_TRY(query.paths, pairs("--path", flags.paths));
    HF_TRY(query.contains, json_argument("--contains", flags.contains));
    HF_TRY(query.meta_contains, json_argument("--meta-contains", flags.meta_contains));
    return query;
}

void print_page_end(Format format, boost::json::array items,
                    const std::optional<std::string>& next) {
    if (format == Format::text && next) print_line("next page: --cursor " + *next);
    if (format != Format::json) return;
    boost::json::object page{{"items", std::move(items)}};
    page["nextCursor"] = next ? boost::json::value(*next) : boost::json::value(nullptr);
    print(Format::json, page);
}

ExitCode list(const ListFlags& flags, client::Client& client) {
    auto query = query_of(flags);
    if (!query) return report(query.error());
    boost::json::array items;
    for (;;) {
        auto page = client.list(*query);
        if (!page) return report(page.error());
        for (client::Workflow& workflow : page->items) {
            switch (flags.server.format) {
                case Format::text: print_line(summarized(workflow)); break;
                case Format::jsonl: print(Format::jsonl, workflow.raw); break;
                case Format::json: items.push_back(std::move(workflow.raw)); break;
            }
        }
        query->cursor = page->next_cursor;
        if (!query->cursor || flags.extent == Extent::one_page) break;
    }
    print_page_end(flags.server.format, std::move(items), query->cursor);
    return ExitCode::ok;
}

void add_flags(CLI::App& command, ListFlags& flags) {
    const auto add_many = [&](const char* name, std::vector<std::string>& values,
                              const char* description) {
        command.add_option(name, values, description)->take_all()->allow_extra_args(false);
    };
    add_many("--status", flags.query.statuses,
             "open, running, suspended, succeeded, failed or cancelled; repeatable");
    command.add_option("--definition", flags.query.definition, "Definition key");
    command.add_option("--business-key", flags.query.business_key, "Business key");
    add_many("--part", flags.parts, "Business reference part, NAME=VALUE; repeatable");
    command.add_option("--contains", flags.contains,
                       "Only workflows whose state contains this: JSON, @FILE or -");
    command.add_option("--meta-contains", flags.meta_contains,
                       "Only workflows whose metadata contains this: JSON, @FILE or -");
    add_many("--path", flags.paths, "State path and its value, A.B=TEXT; repeatable");
    command.add_option("--created-from", flags.query.created_from,
                       "Created at or after this UTC time");
    command.add_option("--created-before", flags.query.created_before,
                       "Created before this UTC time");
    command.add_flag_callback(
        "--with-state", [&flags] { flags.query.include = client::Include::state; },
        "Include state and metadata in JSON output");
    command.add_option("--limit", flags.query.limit, "Workflows per page");
    command.add_option("--cursor", flags.query.cursor, "Cursor of the previous page");
    command.add_flag_callback(
        "--all", [&flags] { flags.extent = Extent::all_pages; }, "Print all pages");
}

}  // namespace

void add_list(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<ListFlags>();
    CLI::App* command = program.add_subcommand("list", "List workflows, newest first");
    add_flags(*command, *flags);
    add_client_flags(*command, flags->server);
    command->callback([flags, &chosen] {
        chosen = [flags] {
            return with_server(flags->server, [&](auto& client) { return list(*flags, client); });
        };
    });
}

}  // namespace holdfast::app
