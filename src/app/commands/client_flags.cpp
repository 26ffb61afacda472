#include "app/commands/client_flags.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <iterator>

#include "app/token_file.h"
#include "base/json/parse.h"

namespace holdfast::app {
namespace {

const std::map<std::string, Format> formats{
    {"text", Format::text}, {"json", Format::json}, {"jsonl", Format::jsonl}};

Result<std::string> file_content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(file), {}};
    if (!file) return fail(ErrorCode::invalid_argument, "cannot read file " + path);
    return content;
}

void add_tls_flags(CLI::App& command, ClientFlags& flags) {
    command
        .add_option("--ca", flags.ca,
                    "File with the authority of an https server's certificate; default: those "
                    "that the system trusts")
        ->envname("HOLDFAST_CA");
    command
        .add_option("--client-certificate", flags.client_certificate,
                    "File with the certificate that the server asks for")
        ->envname("HOLDFAST_CLIENT_CERTIFICATE");
    command
        .add_option("--client-key", flags.client_key,
                    "File with its private key; default: in the file of the certificate")
        ->envname("HOLDFAST_CLIENT_KEY");
}

}  // namespace

Result<std::string> read_token(const ClientFlags& flags) {
    if (flags.token_file.empty()) return std::string();
    return read_token_file(flags.token_file);
}

http::ClientOptions connection_options(const ClientFlags& flags) {
    return {.ca = flags.ca, .certificate = flags.client_certificate, .key = flags.client_key};
}

void add_client_flags(CLI::App& command, ClientFlags& flags) {
    command.add_option("--server", flags.server, "URL of the server, http(s)://host:port")
        ->envname("HOLDFAST_SERVER")
        ->capture_default_str();
    command.add_option("--token-file", flags.token_file, "File with the server's bearer token")
        ->envname("HOLDFAST_TOKEN_FILE");
    add_tls_flags(command, flags);
    command.add_option("--user", flags.user, "the acting user")->envname("HOLDFAST_USER");
    command
        .add_option_function<std::string>(
            "-o,--output", [&flags](const std::string& name) { flags.format = formats.at(name); },
            "Output format: text, json or jsonl (one value per line)")
        ->check(CLI::IsMember(formats))
        ->default_str("text");
}

ExitCode with_server(const ClientFlags& flags,
                     const std::function<ExitCode(client::Client&)>& work) {
    auto token = read_token(flags);
    if (!token) return report(token.error());
    client::Client client(flags.server, {.token = *std::move(token),
                                         .user_id = flags.user,
                                         .ca = flags.ca,
                                         .certificate = flags.client_certificate,
                                         .key = flags.client_key});
    return work(client);
}

Result<std::string> read_argument(const std::string& argument) {
    if (argument == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
    if (argument.starts_with('@')) return file_content(argument.substr(1));
    return argument;
}

Result<std::optional<boost::json::value>> json_argument(
    const char* name, const std::optional<std::string>& argument) {
    if (!argument) return std::nullopt;
    HF_TRY(const auto text, read_argument(*argument));
    auto value = json::parse(text);
    if (value) return *std::move(value);
    return fail(
        value.error().code,
        std::string(name) + " takes JSON, @FILE or - for standard input: " + value.error().message);
}

Result<std::vector<std::pair<std::string, std::string>>> pairs(
    const char* name, const std::vector<std::string>& arguments) {
    std::vector<std::pair<std::string, std::string>> split;
    for (const std::string& argument : arguments) {
        const std::size_t equals = argument.find('=');
        if (equals == std::string::npos || equals == 0)
            return fail(ErrorCode::invalid_argument,
                        std::string(name) + " takes NAME=VALUE, not '" + argument + "'");
        split.emplace_back(argument.substr(0, equals), argument.substr(equals + 1));
    }
    return split;
}

}  // namespace holdfast::app
