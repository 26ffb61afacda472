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
    std::optional<std::uint32_t> concurrency;
    std::optional<std::string> rate;
    std::optional<std::uint32_t> burst;
    std::optional<std::string> limit_key;
    bool no_limits = false;
    bool no_schema = false;
    bool no_indexes = false;
};

bj::array paths_of(const bj::object& definition) {
    bj::array paths;
    const bj::value* indexes = definition.if_contains("indexes");
    for (const bj::value& index : indexes ? indexes->as_array() : bj::array{})
        paths.push_back(index.at("path"));
    return paths;
}

// As PUT takes it.
bj::object retention_of(const bj::object& definition) {
    bj::object retention;
    for (const auto& [member, shown] : {std::pair{"keepFor", "keepForMicroseconds"},
                                        std::pair{"staleAfter", "staleAfterMicroseconds"}})
        if (const bj::value* time = definition.if_contains(shown); time && !time->is_null()) {
            const auto microseconds = time->to_number<std::uint64_t>();
            const std::string fraction = std::to_string(1'000'000 + microseconds % 1'000'000);
            retention[member] =
                std::to_string(microseconds / 1'000'000) + "." + fraction.substr(1) + "s";
        }
    return retention;
}

// The settings that the definition has. None: it is new.
client::Answer<bj::object> settings_now(const std::string& key, ServerCalls& calls) {
    const auto definition = calls.get(client::Target({"definitions", key}).text());
    if (!definition && definition.error().kind == client::FailureKind::not_found)
        return bj::object{};
    if (!definition) return std::unexpected(definition.error());
    const bj::value* schema = definition->if_contains("schema");
    const bj::value* limits = definition->if_contains("limits");
    return bj::object{{"schema", schema ? *schema : bj::value(nullptr)},
                      {"indexes", paths_of(*definition)},
                      {"retention", retention_of(*definition)},
                      {"limits", limits ? *limits : bj::value(nullptr)}};
}

void apply_limits(bj::object& settings, const DefineFlags& flags) {
    bj::object limits;
    if (!flags.no_limits && settings["limits"].is_object())
        limits = settings["limits"].get_object();
    if (flags.concurrency) limits["concurrency"] = *flags.concurrency;
    if (flags.rate) limits["rate"] = *flags.rate;
    if (flags.burst) limits["burst"] = *flags.burst;
    if (flags.limit_key) limits["key"] = *flags.limit_key;
    settings["limits"] = std::move(limits);
}

// PUT replaces all settings; the flags change those that they name.
Result<void> apply_flags(bj::object& settings, const DefineFlags& flags) {
    HF_TRY(auto schema, json_argument("--schema", flags.schema));
    if (schema) settings["schema"] = *std::move(schema);
    if (flags.no_schema) settings["schema"] = nullptr;
    bj::array indexes;
    for (const std::string& path : flags.indexes) indexes.emplace_back(path);
    if (flags.no_indexes || !indexes.empty()) settings["indexes"] = std::move(indexes);
    if (flags.runner) settings["runner"] = *flags.runner;
    bj::object& retention = settings["retention"].is_object()
                                ? settings["retention"].get_object()
                                : settings["retention"].emplace_object();
    if (flags.keep_for) retention["keepFor"] = *flags.keep_for;
    if (flags.stale_after) retention["staleAfter"] = *flags.stale_after;
    apply_limits(settings, flags);
    return {};
}

ExitCode define(const DefineFlags& flags, ServerCalls& calls) {
    auto settings = settings_now(flags.key, calls);
    if (!settings) return report(settings.error());
    if (const auto changed = apply_flags(*settings, flags); !changed)
        return report(changed.error());
    const auto definition = calls.put(client::Target({"definitions", flags.key}).text(), *settings);
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
        "define",
        "Create a definition, or change those of its settings that the flags name; changed "
        "content makes a new version");
    command->add_option("key", flags->key, "Definition key")->required();
    CLI::Option* schema = command->add_option(
        "--schema", flags->schema, "JSON Schema (draft 7) of the state: JSON, @FILE or -");
    CLI::Option* indexes =
        command
            ->add_option("--index", flags->indexes,
                         "State path to index, such as agentContext.currentAgent; repeatable, "
                         "replaces the paths of before")
            ->take_all()
            ->allow_extra_args(false);
    command->add_flag("--no-schema", flags->no_schema, "Any state is valid")->excludes(schema);
    command->add_flag("--no-index", flags->no_indexes, "No path is indexed")->excludes(indexes);
    command->add_option("--runner", flags->runner,
                        "outside (default): programs move it by calls; worker: they hold leases");
    command->add_option("--keep-for", flags->keep_for, "How long ended workflows are kept: 90d");
    command->add_option("--stale-after", flags->stale_after,
                        "Open workflows unchanged for this long are cancelled: 52w");
    command->add_option("--concurrency", flags->concurrency,
                        "At most so many workflows run at a time; others wait for their turn");
    command->add_option("--rate", flags->rate, "So many start in which time at most: 100/1m, 5/s");
    command->add_option("--burst", flags->burst, "With --rate: so many at once after a pause");
    command->add_option("--limit-key", flags->limit_key,
                        "Each value of businessKey, state.PATH or arguments.PATH is limited alone");
    command->add_flag("--no-limits", flags->no_limits,
                      "Without limits, apart from those that other flags name");
    choose(*command, chosen, flags, define);
}

}  // namespace holdfast::app
