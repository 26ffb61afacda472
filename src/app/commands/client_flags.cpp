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

}  // namespace

Result<std::string> read_token(const ClientFlags& flags) {
    if (flags.token_file.empty()) return std::string();
    return read_token_file(flags.token_file);
}

void add_client_flags(CLI::App& command, ClientFlags& flags) {
    command.add_option("--server", flags.server, "URL of the server, http://host:port")
        ->envname("HOLDFAST_SERVER")
        ->capture_default_str();
    command.add_option("--token-file", flags.token_file, "File with the server's bearer token")
        ->envname("HOLDFAST_TOKEN_FILE");
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
    client::Client client(flags.server, {.token = *std::move(token), .user_id = flags.user});
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
