#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "app/commands/client_flags.h"

namespace holdfast::app {
namespace {

struct StartFlags {
    ClientFlags server;
    std::string definition;
    std::optional<std::string> state;
    std::optional<std::string> arguments;
    std::optional<std::string> variables;
    std::optional<std::string> metadata;
    std::string business_key;
    std::vector<std::string> parts;
    std::optional<std::string> idempotency_key;
    std::string on_open;
    std::string on_closed;
    std::uint32_t priority = 0;
};

Result<client::StartSpec> spec_of(const StartFlags& flags) {
    client::StartSpec spec{.definition = flags.definition,
                           .business = {.key = flags.business_key, .parts = {}},
                           .idempotency_key = flags.idempotency_key,
                           .on_open = flags.on_open,
                           .on_closed = flags.on_closed,
                           .priority = flags.priority};
    HF_TRY(const auto parts, pairs("--part", flags.parts));
    spec.business.parts = {parts.begin(), parts.end()};
    HF_TRY(const auto state, json_argument("--state", flags.state));
    if (state) spec.state = *state;
    HF_TRY(const auto variables, json_argument("--variables", flags.variables));
    if (variables) spec.state = boost::json::object{{"variables", *variables}};
    HF_TRY(const auto metadata, json_argument("--metadata", flags.metadata));
    if (metadata) spec.state_metadata = *metadata;
    HF_TRY(const auto arguments, json_argument("--arguments", flags.arguments));
    if (arguments) spec.arguments = *arguments;
    return spec;
}

ExitCode start(const StartFlags& flags, client::Client& client) {
    const auto spec = spec_of(flags);
    if (!spec) return report(spec.error());
    const auto workflow = client.start(*spec);
    if (!workflow) return report(workflow.error());
    if (flags.server.format == Format::text)
        print_line((workflow->existed ? "found " : "started ") + workflow->id + " (version " +
                   std::to_string(workflow->version) + ")");
    else
        print(flags.server.format, workflow->raw);
    return ExitCode::ok;
}

void add_flags(CLI::App& command, StartFlags& flags) {
    command.add_option("definition", flags.definition, "Definition key")->required();
    command.add_option("--arguments", flags.arguments,
                       "Arguments of a flow, a JSON array: JSON, @FILE or -");
    CLI::Option* state =
        command.add_option("--state", flags.state, "Initial state: JSON, @FILE or -");
    command
        .add_option("--variables", flags.variables,
                    "Variables of a process, as state.variables: JSON, @FILE or -")
        ->excludes(state);
    command.add_option("--metadata", flags.metadata, "Initial metadata: JSON, @FILE or -");
    command.add_option("--business-key", flags.business_key, "Business key");
    command.add_option("--on-open", flags.on_open,
                       "If the business key has an open workflow: start (default), reject, "
                       "existing (shows that one) or cancel (that one first)");
    command.add_option("--on-closed", flags.on_closed,
                       "If its newest workflow has ended: start (default), reject or afterFailure");
    command.add_option("--priority", flags.priority,
                       "0 (default) to 9: if the definition has limits, a higher one gets its turn "
                       "earlier");
    command.add_option("--part", flags.parts, "Business reference part, NAME=VALUE; repeatable")
        ->take_all()
        ->allow_extra_args(false);
    command.add_option("--idempotency-key", flags.idempotency_key,
                       "A repeat with the same key returns the first workflow");
}

}  // namespace

void add_start(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<StartFlags>();
    CLI::App* command = program.add_subcommand("start", "Start a workflow");
    add_flags(*command, *flags);
    add_client_flags(*command, flags->server);
    command->callback([flags, &chosen] {
        chosen = [flags] {
            return with_server(flags->server, [&](auto& client) { return start(*flags, client); });
        };
    });
}

}  // namespace holdfast::app
