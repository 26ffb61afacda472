// Flags and arguments that all client commands share.
#pragma once

#include <boost/json/value.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/output.h"
#include "holdfast/client.h"
#include "http/wire/client_connection.h"

namespace holdfast::app {

struct ClientFlags {
    std::string server = "http://127.0.0.1:8080";
    std::string token_file;
    std::string user;
    std::string ca;
    std::string client_certificate;
    std::string client_key;
    Format format = Format::text;
};

// The content of the token file; empty: no file was given.
Result<std::string> read_token(const ClientFlags& flags);

// Of the connection to the server.
http::ClientOptions connection_options(const ClientFlags& flags);

// --server, --token-file, --user, --ca, --client-certificate, --client-key and -o.
void add_client_flags(CLI::App& command, ClientFlags& flags);

// Runs `work` with a client for the server in `flags`; reports invalid flags.
ExitCode with_server(const ClientFlags& flags,
                     const std::function<ExitCode(client::Client&)>& work);

// "@path": the file's content, "-": standard input, otherwise the text itself.
Result<std::string> read_argument(const std::string& argument);
// The same, parsed as JSON; `name` is the flag, for errors. Absent: no argument was given.
Result<std::optional<boost::json::value>> json_argument(const char* name,
                                                        const std::optional<std::string>& argument);
// "name=value", split at the first '='.
Result<std::vector<std::pair<std::string, std::string>>> pairs(
    const char* name, const std::vector<std::string>& arguments);

}  // namespace holdfast::app
