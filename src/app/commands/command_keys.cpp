// holdfast keys: who may use the server.
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct KeyFlags {
    ClientFlags server;
    std::string id;
    std::string name;
    std::vector<std::string> roles;
    std::optional<std::string> for_user;
    std::vector<std::string> groups;
    std::vector<std::string> definitions;
    std::optional<std::string> expires_in;
    std::optional<std::string> overlap;
    std::optional<std::string> kind;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
};

std::string joined(const bj::object& object, std::string_view name) {
    std::string text;
    const bj::value* list = object.if_contains(name);
    for (const bj::value& item : list && list->is_array() ? list->get_array() : bj::array{})
        if (item.is_string()) text.append(text.empty() ? "" : ",").append(item.get_string());
    return text;
}

std::string key_line(const bj::object& key) {
    std::string line = text_of(key, "id") + "  " + text_of(key, "name") + "  " +
                       joined(key, "roles") + "  user " + text_of(key, "user");
    if (const std::string only = joined(key, "definitions"); !only.empty()) line += "  for " + only;
    const std::string used = text_of(key, "lastUsedAt");
    line += used.empty() ? "  never used" : "  used " + used;
    const std::string revoked = text_of(key, "revokedAt");
    const std::string expires = text_of(key, "expiresAt");
    if (!revoked.empty())
        line += "  revoked " + revoked;
    else if (!expires.empty())
        line += (text_of(key, "valid") == "true" ? "  expires " : "  expired ") + expires;
    return line;
}

// The key alone on standard output, so that it can be written to a file.
ExitCode print_new(const client::Answer<bj::object>& key, Format format) {
    if (!key) return report(key.error());
    if (format != Format::text) {
        print(format, *key);
        return ExitCode::ok;
    }
    print_error("key " + text_of(*key, "id") + " of user " + text_of(*key, "user") + ", " +
                joined(*key, "roles") + "; it is shown only now:");
    print_line(text_of(*key, "key"));
    return ExitCode::ok;
}

bj::array array_of(const std::vector<std::string>& texts) {
    return bj::array(texts.begin(), texts.end());
}

ExitCode create_key(const KeyFlags& flags, ServerCalls& calls) {
    bj::object body{{"name", flags.name}, {"roles", array_of(flags.roles)}};
    if (flags.for_user) body["user"] = *flags.for_user;
    if (!flags.groups.empty()) body["groups"] = array_of(flags.groups);
    if (!flags.definitions.empty()) body["definitions"] = array_of(flags.definitions);
    if (flags.expires_in) body["expiresIn"] = *flags.expires_in;
    return print_new(calls.post(client::Target({"keys"}).text(), body), flags.server.format);
}

ExitCode list_keys(const KeyFlags& flags, ServerCalls& calls) {
    client::Target target({"keys"});
    target.with_any("kind", flags.kind)
        .with_any("limit", flags.limit)
        .with_any("cursor", flags.cursor);
    const auto page = calls.get(std::move(target).text());
    if (!page) return report(page.error());
    return print_page(*page, flags.server.format, key_line);
}

ExitCode rotate_key(const KeyFlags& flags, ServerCalls& calls) {
    bj::object body;
    if (flags.overlap) body["overlap"] = *flags.overlap;
    return print_new(calls.post(client::Target({"keys", flags.id, "rotate"}).text(), body),
                     flags.server.format);
}

ExitCode revoke_key(const KeyFlags& flags, ServerCalls& calls) {
    const auto revoked = calls.remove(client::Target({"keys", flags.id}).text());
    if (!revoked) return report(revoked.error());
    if (flags.server.format == Format::text) print_line("revoked " + flags.id);
    return ExitCode::ok;
}

void add_key_create(CLI::App& keys, Action& chosen) {
    auto flags = std::make_shared<KeyFlags>();
    CLI::App* create = keys.add_subcommand("create", "Make a key and show it once");
    create->add_option("--name", flags->name, "What the key is for")->required();
    create
        ->add_option("--role", flags->roles,
                     "viewer, participant, worker, operator or admin; repeatable")
        ->required();
    create->add_option("--for", flags->for_user, "User who acts with it; default: its name");
    create->add_option("--group", flags->groups, "Group of the user; repeatable");
    create->add_option("--definition", flags->definitions,
                       "Definition that it reaches, and no other; repeatable");
    create->add_option("--expires-in", flags->expires_in, "How long it is valid, such as 2160h");
    choose(*create, chosen, flags, create_key);
}

}  // namespace

void add_keys(CLI::App& program, Action& chosen) {
    CLI::App* keys = program.add_subcommand("keys", "Manage API keys: who may use the server");
    keys->require_subcommand(1);
    add_key_create(*keys, chosen);
    auto listed = std::make_shared<KeyFlags>();
    CLI::App* list = keys->add_subcommand("list", "List keys, without their secrets");
    list->add_flag_callback(
        "--sessions", [listed] { listed->kind = "session"; }, "Those of browsers instead");
    list->add_option("--limit", listed->limit, "Keys per page");
    list->add_option("--cursor", listed->cursor, "Cursor of the previous page");
    choose(*list, chosen, listed, list_keys);
    auto rotated = std::make_shared<KeyFlags>();
    CLI::App* rotate = keys->add_subcommand("rotate", "Make a key that takes the place of another");
    rotate->add_option("id", rotated->id, "Id of the old key")->required();
    rotate->add_option("--overlap", rotated->overlap,
                       "How long the old key stays valid, such as 24h; default: not at all");
    choose(*rotate, chosen, rotated, rotate_key);
    auto revoked = std::make_shared<KeyFlags>();
    CLI::App* revoke = keys->add_subcommand("revoke", "End a key at once");
    revoke->add_option("id", revoked->id, "Id of the key")->required();
    choose(*revoke, chosen, revoked, revoke_key);
}

}  // namespace holdfast::app
