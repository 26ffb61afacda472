#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "app/config_file.h"
#include "app/pump_flags.h"
#include "app/serve.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

void add_queue_flags(CLI::App& command, ServeOptions& options) {
    command
        .add_option("--event-queue", options.event_queue,
                    "Limit of queued events per workflow and per name; events beyond it get 429")
        ->envname("HOLDFAST_EVENT_QUEUE")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
    command
        .add_option("--event-queue-bytes", options.event_queue_bytes,
                    "The same limit in bytes of their values")
        ->envname("HOLDFAST_EVENT_QUEUE_BYTES")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 40))
        ->capture_default_str();
}

void add_connection_flags(CLI::App& command, ServeOptions& options) {
    command
        .add_option("--max-connections", options.max_connections,
                    "Open connections; more are answered with 503")
        ->envname("HOLDFAST_MAX_CONNECTIONS")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    command
        .add_option("--max-connections-per-address", options.max_connections_per_address,
                    "The same of one address, but for the own host")
        ->envname("HOLDFAST_MAX_CONNECTIONS_PER_ADDRESS")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    command
        .add_option("--max-streams", options.max_streams,
                    "Open streams of changes; more are answered with 429")
        ->envname("HOLDFAST_MAX_STREAMS")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
}

void add_log_flags(CLI::App& command, ServeOptions& options) {
    command.add_option("--log-level", options.log_level, "Lowest level to log")
        ->envname("HOLDFAST_LOG_LEVEL")
        ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
        ->capture_default_str();
    command.add_option("--log-format", options.log_format, "text, or json: an object a line")
        ->envname("HOLDFAST_LOG_FORMAT")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
}

void add_token_flags(CLI::App& command, ServeOptions& options) {
    command
        .add_option(
            "--jwks-file", options.jwks_file,
            "Key set of an identity provider, whose tokens sign in; read again when it changes")
        ->envname("HOLDFAST_JWKS_FILE");
    command.add_option("--jwt-issuer", options.jwt.issuer, "'iss' of its tokens")
        ->envname("HOLDFAST_JWT_ISSUER");
    command.add_option("--jwt-audience", options.jwt.audience, "'aud' of its tokens")
        ->envname("HOLDFAST_JWT_AUDIENCE");
    command
        .add_option("--jwt-skew-seconds", options.jwt_skew_seconds,
                    "By how much its clock may be wrong")
        ->envname("HOLDFAST_JWT_SKEW_SECONDS")
        ->check(CLI::Range(0, 60))
        ->capture_default_str();
    command.add_option("--jwt-user-claim", options.jwt.user_claim, "Claim that names the user")
        ->envname("HOLDFAST_JWT_USER_CLAIM")
        ->capture_default_str();
    command
        .add_option("--jwt-groups-claim", options.jwt.groups_claim, "Claim that lists its groups")
        ->envname("HOLDFAST_JWT_GROUPS_CLAIM")
        ->capture_default_str();
    command.add_option("--jwt-roles-claim", options.jwt.roles_claim, "Claim that lists its roles")
        ->envname("HOLDFAST_JWT_ROLES_CLAIM")
        ->capture_default_str();
}

void add_span_flags(CLI::App& command, ServeOptions& options) {
    command
        .add_option("--otlp-endpoint", options.otlp_endpoint,
                    "http://host:port of a collector that gets spans of ended workflows (OTLP)")
        ->envname("HOLDFAST_OTLP_ENDPOINT");
}

void add_webhook_flags(CLI::App& command, ServeOptions& options) {
    command
        .add_option("--webhook-secret-file", options.webhook_secret_file,
                    "File with the secret that signs webhooks, the same on all nodes; without it "
                    "there are none")
        ->envname("HOLDFAST_WEBHOOK_SECRET_FILE");
    command
        .add_option("--webhook-host", options.webhook_hosts,
                    "Host that webhooks may post to, or *.domain; repeatable")
        ->envname("HOLDFAST_WEBHOOK_HOST");
    command
        .add_flag("--webhook-allow-private", options.webhook_allow_private,
                  "Webhooks may post to this machine and to private networks")
        ->envname("HOLDFAST_WEBHOOK_ALLOW_PRIVATE");
}

void add_session_flags(CLI::App& command, ServeOptions& options) {
    command
        .add_option("--session-idle-minutes", options.session_idle_minutes,
                    "How long a browser that sends nothing stays signed in")
        ->envname("HOLDFAST_SESSION_IDLE_MINUTES")
        ->check(CLI::Range(1, 10'080))
        ->capture_default_str();
    command
        .add_option("--session-hours", options.session_hours,
                    "How long a browser stays signed in at most")
        ->envname("HOLDFAST_SESSION_HOURS")
        ->check(CLI::Range(1, 720))
        ->capture_default_str();
    command
        .add_option("--streams-per-credential", options.shares.streams,
                    "Streams of changes that a user of a credential may have open")
        ->envname("HOLDFAST_STREAMS_PER_CREDENTIAL")
        ->check(CLI::Range(1, 512))
        ->capture_default_str();
    command
        .add_option("--polls-per-credential", options.shares.polls,
                    "Long polls that a user of a credential may have open")
        ->envname("HOLDFAST_POLLS_PER_CREDENTIAL")
        ->check(CLI::Range(1, 512))
        ->capture_default_str();
}

void add_entrance_flags(CLI::App& command, ServeOptions& options) {
    command
        .add_option("--tls-certificate", options.tls_certificate,
                    "Certificate of the server, for HTTPS; PEM, read again when it changes")
        ->envname("HOLDFAST_TLS_CERTIFICATE");
    command.add_option("--tls-key", options.tls_key, "Its private key; PEM, without a password")
        ->envname("HOLDFAST_TLS_KEY");
    command
        .add_option("--tls-client-ca", options.tls_client_ca,
                    "Authorities in PEM; clients must have a certificate of one of them")
        ->envname("HOLDFAST_TLS_CLIENT_CA");
    command
        .add_option("--behind-proxy", options.behind_proxy,
                    "Address of a proxy that speaks TLS for this server, such as 10.0.0.7 or "
                    "10.0.0.0/8; repeatable. X-Forwarded-For and X-Forwarded-Proto are believed "
                    "from these only")
        ->envname("HOLDFAST_BEHIND_PROXY")
        ->delimiter(',');
    command
        .add_option("--host-name", options.host_names,
                    "Additional name to accept in the Host header; repeatable")
        ->envname("HOLDFAST_HOST_NAME");
}

void add_flags(CLI::App& command, ServeOptions& options) {
    command.add_option("--config", options.config, "TOML file with settings, named like the flags")
        ->envname("HOLDFAST_CONFIG");
    command
        .add_option("--store", options.store, "Database: sqlite:PATH, postgres://..., or memory:")
        ->envname("HOLDFAST_STORE")
        ->capture_default_str();
    command.add_option("--listen", options.listen, "host:port to listen on; port 0: any free port")
        ->envname("HOLDFAST_LISTEN")
        ->capture_default_str();
    command
        .add_option("--token-file", options.token_file,
                    "File with the bearer token that requests must carry; required unless "
                    "--listen is a loopback address")
        ->envname("HOLDFAST_TOKEN_FILE");
    add_token_flags(command, options);
    add_session_flags(command, options);
    add_entrance_flags(command, options);
    command
        .add_option("--address-file", options.address_file,
                    "File to write the URL of the server to once it is ready")
        ->envname("HOLDFAST_ADDRESS_FILE");
    command.add_option("--writers", options.writers, "Writer threads; 0: chosen for the store")
        ->envname("HOLDFAST_WRITERS")
        ->capture_default_str();
    command
        .add_option("--queue", options.queue,
                    "Limit of queued operations; requests beyond it get 429")
        ->envname("HOLDFAST_QUEUE")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
    command
        .add_option("--http-threads", options.http_threads,
                    "Threads that read requests and write responses")
        ->envname("HOLDFAST_HTTP_THREADS")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command
        .add_option("--node", options.node, "Name of this node; default: host name and process id")
        ->envname("HOLDFAST_NODE");
    command
        .add_option("--trace-rounds", options.trace_rounds,
                    "File to append every round to, with operations and outcomes, as JSON lines")
        ->envname("HOLDFAST_TRACE_ROUNDS");
    add_connection_flags(command, options);
    add_queue_flags(command, options);
    add_log_flags(command, options);
    add_webhook_flags(command, options);
    add_span_flags(command, options);
    command.add_flag_callback(
        "--demo",
        [&options] { options.demo = options.demo == Demo::none ? Demo::alive : options.demo; },
        "Add examples, unless the store has them, and workflows that move by themselves");
    command.add_flag_callback(
        "--demo-still", [&options] { options.demo = Demo::still; },
        "Like --demo, but nothing moves by itself");
}

http::Setting setting_of(const boost::json::object& item) {
    http::Setting setting{.name = text_of(item, "name"),
                          .variable = text_of(item, "variable"),
                          .same_as = text_of(item, "sameAs")};
    if (const auto* values = item.if_contains("values"); values && values->is_array())
        for (const auto& value : values->get_array())
            if (value.is_string()) setting.values.emplace_back(value.get_string());
    using Source = http::Setting::Source;
    for (const Source source : {Source::file, Source::environment, Source::flag})
        if (text_of(item, "source") == name_of(source)) setting.source = source;
    return setting;
}

struct RunningFlags {
    ClientFlags server;
};

ExitCode show_settings(const RunningFlags& flags, ServerCalls& calls) {
    const auto found = calls.get(client::Target({"settings"}).text());
    if (!found) return report(found.error());
    if (flags.server.format != Format::text)
        return print_page(*found, flags.server.format, nullptr);
    std::vector<http::Setting> settings;
    for (const auto& item : found->at("items").as_array())
        settings.push_back(setting_of(item.as_object()));
    print_lines(as_toml(settings));
    return ExitCode::ok;
}

// On flags that nothing has set, so that every value of the file is looked at.
ExitCode check_config(const std::string& file) {
    CLI::App unset;
    ServeOptions options;
    add_flags(unset, options);
    add_pump_flags(unset, options);
    const auto set = apply_config(unset, file);
    if (!set) return report(set.error());
    if (const auto accepted = check(options); !accepted) return report(accepted.error());
    print_line(file + ": ok, settings: " + std::to_string(set->size()));
    return ExitCode::ok;
}

}  // namespace

void add_serve(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<ServeOptions>();
    CLI::App* command = program.add_subcommand("serve", "Run a server until SIGTERM or SIGINT");
    add_flags(*command, *options);
    add_pump_flags(*command, *options);
    command->callback([options, command, &chosen] {
        chosen = [options, command] {
            const auto configured = apply_config(*command, options->config);
            if (!configured) return report(configured.error());
            options->settings = settings_of(*command, *configured);
            const auto served = serve(*options);
            if (served) return ExitCode::ok;
            return report(served.error());
        };
    });
}

void add_config(CLI::App& program, Action& chosen) {
    CLI::App* config = program.add_subcommand("config", "Check and show the server's settings");
    config->require_subcommand(1);
    auto file = std::make_shared<std::string>();
    CLI::App* check =
        config->add_subcommand("check", "Check a file of settings without starting a server");
    check->add_option("file", *file, "TOML file")->required();
    check->callback([file, &chosen] { chosen = [file] { return check_config(*file); }; });
    choose(*config->add_subcommand("show", "Show what a server runs with, and where from"), chosen,
           std::make_shared<RunningFlags>(), show_settings);
    auto options = std::make_shared<ServeOptions>();
    CLI::App* dump = config->add_subcommand(
        "dump", "Show the settings that serve would have with these flags, and where from");
    add_flags(*dump, *options);
    add_pump_flags(*dump, *options);
    dump->callback([dump, options, &chosen] {
        chosen = [dump, options] {
            const auto set = apply_config(*dump, options->config);
            if (!set) return report(set.error());
            print_lines(as_toml(settings_of(*dump, *set)));
            return ExitCode::ok;
        };
    });
}

}  // namespace holdfast::app
