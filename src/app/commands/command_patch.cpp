#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <charconv>

#include "app/commands/server_calls.h"

namespace holdfast::app {
namespace {

using client::OnConflict;

const std::map<std::string, OnConflict> strategies{{"reject", OnConflict::reject},
                                                   {"server-wins", OnConflict::server_wins},
                                                   {"client-wins", OnConflict::client_wins},
                                                   {"merge", OnConflict::merge}};

struct PatchFlags {
    ClientFlags server;
    std::string id;
    std::string if_match;
    std::optional<std::string> merge;
    std::optional<std::string> json_patch;
    std::optional<std::string> replace;
    std::optional<std::string> metadata;
    OnConflict on_conflict = OnConflict::reject;
};

// 5, "5" in quotes like an ETag, or * for any version.
Result<std::optional<client::Version>> expected_version(std::string_view text) {
    if (text == "*") return std::nullopt;
    if (text.size() > 2 && text.starts_with('"') && text.ends_with('"'))
        text = text.substr(1, text.size() - 2);
    client::Version version = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (error == std::errc{} && stop == text.data() + text.size()) return version;
    return fail(ErrorCode::invalid_argument, "--if-match takes a version, or * for any version");
}

Result<client::Edit> edit_of(const PatchFlags& flags) {
    const int kinds = flags.merge.has_value() + flags.json_patch.has_value() +
                      (flags.replace.has_value() || flags.metadata.has_value());
    if (kinds != 1)
        return fail(
            ErrorCode::invalid_argument,
            "give exactly one change: --merge, --json-patch, or --replace and/or --metadata");
    client::Edit edit{.change = {}, .on_conflict = flags.on_conflict};
    HF_TRY(edit.expected_version, expected_version(flags.if_match));
    HF_TRY(const auto merge, json_argument("--merge", flags.merge));
    HF_TRY(const auto json_patch, json_argument("--json-patch", flags.json_patch));
    HF_TRY(const auto replace, json_argument("--replace", flags.replace));
    HF_TRY(const auto metadata, json_argument("--metadata", flags.metadata));
    if (merge)
        edit.change = client::MergePatch{*merge};
    else if (json_patch)
        edit.change = client::JsonPatch{*json_patch};
    else
        edit.change = client::Replace{.state = replace, .state_metadata = metadata};
    return edit;
}

void print_edited(Format format, const client::Edited& edited) {
    if (format == Format::text) {
        print_line("version " + std::to_string(edited.version) +
                   (edited.resolution ? " (" + *edited.resolution + ")" : ""));
        return print_lines(indented(edited.state, "state "));
    }
    boost::json::object object{{"version", edited.version},
                               {"state", edited.state},
                               {"stateMetadata", edited.state_metadata},
                               {"lastModifiedAt", edited.last_modified_at}};
    if (edited.resolution) object["resolution"] = *edited.resolution;
    print(format, object);
}

ExitCode patch(const PatchFlags& flags, client::Client& client) {
    const auto edit = edit_of(flags);
    if (!edit) return report(edit.error());
    const auto id = workflow_id(flags.server, flags.id);
    if (!id) return report(id.error());
    const auto answer = client.patch_state(*id, *edit);
    if (!answer) return report(answer.error());
    if (const auto* conflict = std::get_if<client::Conflict>(&*answer))
        return report(*conflict, flags.server.format);
    print_edited(flags.server.format, std::get<client::Edited>(*answer));
    return ExitCode::ok;
}

void add_flags(CLI::App& command, PatchFlags& flags) {
    command.add_option("id", flags.id, "Workflow id or business key")->required();
    command
        .add_option("--if-match", flags.if_match,
                    "Version that the change is based on, or * for any")
        ->required();
    command.add_option("--merge", flags.merge, "Merge patch (RFC 7396): JSON, @FILE or -");
    command.add_option("--json-patch", flags.json_patch, "JSON patch (RFC 6902): JSON, @FILE or -");
    command.add_option("--replace", flags.replace, "New state: JSON, @FILE or -");
    command.add_option("--metadata", flags.metadata, "New metadata: JSON, @FILE or -");
    command
        .add_option_function<std::string>(
            "--on-conflict",
            [&flags](const std::string& name) { flags.on_conflict = strategies.at(name); },
            "How the server resolves a stale version")
        ->check(CLI::IsMember(strategies))
        ->default_str("reject");
}

}  // namespace

void add_patch(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<PatchFlags>();
    CLI::App* command = program.add_subcommand("patch", "Change a workflow's state");
    add_flags(*command, *flags);
    add_client_flags(*command, flags->server);
    command->callback([flags, &chosen] {
        chosen = [flags] {
            return with_server(flags->server, [&](auto& client) { return patch(*flags, client); });
        };
    });
}

}  // namespace holdfast::app
