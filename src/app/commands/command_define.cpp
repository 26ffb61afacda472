#include <CLI/CLI.hpp>

#include "app/commands/client_flags.h"

namespace holdfast::app {
namespace {

struct DefineFlags {
    ClientFlags server;
    std::string key;
    std::optional<std::string> schema;
    std::vector<std::string> indexes;
};

ExitCode define(const DefineFlags& flags, client::Client& client) {
    auto schema = json_argument("--schema", flags.schema);
    if (!schema) return report(schema.error());
    const auto definition =
        client.put_definition(flags.key, {.schema = *std::move(schema), .indexes = flags.indexes});
    if (!definition) return report(definition.error());
    if (flags.server.format == Format::text)
        print_line(definition->key + " is at version " + std::to_string(definition->version));
    else
        print(flags.server.format, definition->raw);
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
    add_client_flags(*command, flags->server);
    command->callback([flags, &chosen] {
        chosen = [flags] {
            return with_server(flags->server, [&](auto& client) { return define(*flags, client); });
        };
    });
}

}  // namespace holdfast::app
