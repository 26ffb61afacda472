#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct DefineFlags {
    ClientFlags server;
    std::string key;
    std::optional<std::string> schema;
    std::vector<std::string> indexes;
    std::optional<std::string> runner;
    std::optional<std::string> keep_for;
    std::optional<std::string> stale_after;
};

Result<bj::object> body_of(const DefineFlags& flags) {
    HF_TRY(auto schema, json_argument("--schema", flags.schema));
    bj::object body{{"indexes", bj::array(flags.indexes.begin(), flags.indexes.end())}};
    if (schema) body["schema"] = *std::move(schema);
    if (flags.runner) body["runner"] = *flags.runner;
    bj::object retention;
    if (flags.keep_for) retention["keepFor"] = *flags.keep_for;
    if (flags.stale_after) retention["staleAfter"] = *flags.stale_after;
    if (!retention.empty()) body["retention"] = std::move(retention);
    return body;
}

ExitCode define(const DefineFlags& flags, ServerCalls& calls) {
    const auto body = body_of(flags);
    if (!body) return report(body.error());
    const auto definition = calls.put(client::Target({"definitions", flags.key}).text(), *body);
    if (!definition) return report(definition.error());
    if (flags.server.format == Format::text)
        print_line(text_of(*definition, "key") + " is at version " +
                   text_of(*definition, "version"));
    else
        print(flags.server.format, *definition);
    return ExitCode::ok;
}

}  // namespace

void add_define(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<DefineFlags>();
    CLI::App* command = program.add_subcommand(
        "define", "Create or update a definition; changed content makes a new version");
    command->add_option("key", flags->key, "Definition key")->required();
    command->add_option("--schema", flags->schema,
                        "JSON Schema (draft 7) of the state: JSON, @FILE or -");
    command
        ->add_option("--index", flags->indexes,
                     "State path to index, such as agentContext.currentAgent; repeatable")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--runner", flags->runner,
                        "outside (default): programs move it by calls; worker: they hold leases");
    command->add_option("--keep-for", flags->keep_for, "How long ended workflows are kept: 90d");
    command->add_option("--stale-after", flags->stale_after,
                        "Open workflows unchanged for this long are cancelled: 52w");
    choose(*command, chosen, flags, define);
}

}  // namespace holdfast::app
