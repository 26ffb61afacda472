#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "app/commands/workflow_text.h"
#include "base/time/clock.h"
#include "base/time/duration.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

enum class Extent { one_page, all_pages };

struct ListFlags {
    ClientFlags server;
    std::vector<std::string> statuses;
    std::vector<std::string> only;
    std::vector<std::string> parts;
    std::vector<std::string> paths;
    std::map<std::string, std::string> filters;  // by parameter, as given
    std::map<std::string, std::string> times;
    std::optional<std::string> due_before;
    std::optional<std::string> contains;
    std::optional<std::string> meta_contains;
    std::optional<std::string> parent;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
    bool with_state = false;
    Extent extent = Extent::one_page;
};

std::string with_commas(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ",") + text;
    return all;
}

// "2h" is two hours ago, or from now.
enum class Sense { past, future };

std::string moment_of(const std::string& text, Sense sense) {
    const auto apart = parse_duration(text);
    if (!apart) return text;
    const Moment now = SystemClock().now();
    return to_iso8601(sense == Sense::past ? now - *apart : now + *apart);
}

Result<std::optional<std::string>> json_text(const char* flag,
                                             const std::optional<std::string>& argument) {
    HF_TRY(const auto value, json_argument(flag, argument));
    return value ? std::optional(bj::serialize(*value)) : std::nullopt;
}

// Of the first page.
Result<client::Target> target_of(const ListFlags& flags) {
    client::Target target({"workflows"});
    if (!flags.statuses.empty()) target.with("status", with_commas(flags.statuses));
    if (!flags.only.empty()) target.with("only", with_commas(flags.only));
    for (const auto& [name, value] : flags.filters) target.with(name, value);
    for (const auto& [name, value] : flags.times) target.with(name, moment_of(value, Sense::past));
    if (flags.due_before) target.with("dueBefore", moment_of(*flags.due_before, Sense::future));
    HF_TRY(const auto parts, pairs("--part", flags.parts));
    for (const auto& [name, value] : parts) target.with("businessPart." + name, value);
    HF_TRY(const auto paths, pairs("--path", flags.paths));
    for (const auto& [path, value] : paths) target.with("path." + path, value);
    HF_TRY(const auto contains, json_text("--contains", flags.contains));
    HF_TRY(const auto meta_contains, json_text("--meta-contains", flags.meta_contains));
    target.with_any("contains", contains).with_any("metaContains", meta_contains);
    target.with_any("parent", flags.parent).with_any("limit", flags.limit);
    if (flags.with_state) target.with("include", "state");
    return target;
}

void print_items(Format format, const bj::array& items, Header header) {
    if (format == Format::text) return print_table(table_of(items, SystemClock().now()), header);
    for (const bj::value& item : items) print(Format::jsonl, item);
}

void print_end(Format format, bj::array items, const std::string& next) {
    if (format == Format::text && !next.empty()) print_line("next page: --cursor " + next);
    if (format != Format::json) return;
    bj::object page{{"items", std::move(items)}};
    page["nextCursor"] = next.empty() ? bj::value(nullptr) : bj::value(next);
    print(Format::json, page);
}

ExitCode list_workflows(ListFlags flags, ServerCalls& calls) {
    if (flags.parent) {
        auto id = workflow_id(calls, *flags.parent);
        if (!id) return report(id.error());
        flags.parent = *std::move(id);
    }
    const auto target = target_of(flags);
    if (!target) return report(target.error());
    bj::array all;
    std::optional<std::string> cursor = flags.cursor;
    Header header = Header::shown;
    do {
        client::Target next = *target;
        auto page = calls.get(std::move(next.with_any("cursor", cursor)).text());
        if (!page) return report(page.error());
        const bj::value* found = page->if_contains("items");
        const bj::array items = found && found->is_array() ? found->get_array() : bj::array();
        if (flags.server.format == Format::json)
            all.insert(all.end(), items.begin(), items.end());
        else
            print_items(flags.server.format, items, header);
        if (!items.empty()) header = Header::left_out;
        const std::string after = text_of(*page, "nextCursor");
        cursor = after.empty() ? std::nullopt : std::optional(after);
    } while (cursor && flags.extent == Extent::all_pages);
    print_end(flags.server.format, std::move(all), cursor.value_or(""));
    return ExitCode::ok;
}

// A flag whose text is the value of a parameter.
void add_filter(CLI::App& command, std::map<std::string, std::string>& filters, const char* flag,
                const char* parameter, const char* help) {
    command.add_option_function<std::string>(
        flag, [&filters, parameter](const std::string& text) { filters[parameter] = text; }, help);
}

void add_flags(CLI::App& command, ListFlags& flags) {
    const auto add_many = [&](const char* name, std::vector<std::string>& values,
                              const char* description) {
        command.add_option(name, values, description)->take_all()->allow_extra_args(false);
    };
    add_many("--status", flags.statuses,
             "open, running, suspended, succeeded, failed or cancelled; repeatable");
    add_many("--only", flags.only,
             "incident, paused, quarantined, retrying or stuck; repeatable: all of them hold");
    add_filter(command, flags.filters, "--definition", "definition", "Definition key");
    add_filter(command, flags.filters, "--business-key", "businessKey", "Business key");
    add_filter(command, flags.filters, "--started-by", "startedBy", "The user who started it");
    add_filter(command, flags.filters, "--waits-for", "waitsFor", "Name of an awaited event");
    command.add_option("--parent", flags.parent, "Id or business key of the workflow above it");
    add_many("--part", flags.parts, "Business reference part, NAME=VALUE; repeatable");
    command.add_option("--contains", flags.contains,
                       "Only workflows whose state contains this: JSON, @FILE or -");
    command.add_option("--meta-contains", flags.meta_contains,
                       "Only workflows whose metadata contains this: JSON, @FILE or -");
    add_many("--path", flags.paths, "State path and its value, A.B=TEXT; repeatable");
    const char* const times[][3] = {
        {"--created-from", "createdFrom", "Created at or after this UTC time, or 2h: 2 hours ago"},
        {"--created-before", "createdBefore", "Created before this UTC time, or 2h ago"},
        {"--updated-from", "updatedFrom", "Changed at or after this UTC time, or 2h ago"},
        {"--updated-before", "updatedBefore", "Not changed since this UTC time, or 2h ago"}};
    for (const auto& [flag, parameter, help] : times)
        add_filter(command, flags.times, flag, parameter, help);
    command.add_option("--due-before", flags.due_before,
                       "A timer is due before this UTC time, or within 12h");
    add_filter(command, flags.filters, "--order", "order", "newest (default) or oldest first");
    command.add_flag("--with-state", flags.with_state, "Include state and metadata in JSON output");
    command.add_option("--limit", flags.limit, "Workflows per page");
    command.add_option("--cursor", flags.cursor, "Cursor of the previous page");
    command.add_flag_callback(
        "--all", [&flags] { flags.extent = Extent::all_pages; }, "Print all pages");
}

}  // namespace

void add_list(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<ListFlags>();
    CLI::App* command = program.add_subcommand("list", "List workflows, newest first");
    add_flags(*command, *flags);
    choose(*command, chosen, flags, list_workflows);
}

}  // namespace holdfast::app
