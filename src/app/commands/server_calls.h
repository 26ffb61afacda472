// Requests of commands that print the server's response unchanged.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "app/commands/client_flags.h"
#include "http/wire/client_connection.h"

namespace holdfast::app {

// One connection to the server in the flags.
class ServerCalls {
public:
    static Result<ServerCalls> to(const ClientFlags& flags);

    client::Answer<boost::json::object> get(const std::string& target);
    // `if_match` is a version, or * for any; empty: none.
    client::Answer<boost::json::object> post(const std::string& target,
                                             const boost::json::object& body = {},
                                             const std::string& if_match = {});
    client::Answer<boost::json::object> put(const std::string& target,
                                            const boost::json::object& body);
    // A BPMN model.
    client::Answer<boost::json::object> post_model(const std::string& target,
                                                   const std::string& xml);
    // A body that is not JSON, such as a BPMN model.
    client::Answer<std::string> get_text(const std::string& target);
    // Passes a stream on until it ends or `take` refuses more; `after`: the last id, empty: none.
    client::Answer<void> follow(const std::string& target, const std::string& after,
                                const std::function<bool(std::string_view)>& take);
    // Returns an empty object.
    client::Answer<boost::json::object> remove(const std::string& target);

private:
    ServerCalls(http::ClientConnection connection, http::Headers headers)
        : connection_(std::move(connection)), headers_(std::move(headers)) {}
    client::Answer<boost::json::object> answer_of(Result<http::Response> response);

    http::ClientConnection connection_;
    http::Headers headers_;  // of every request
};

// The id of the workflow that the user means by its id or by its business key.
client::Answer<std::string> workflow_id(ServerCalls& calls, const std::string& id_or_key);
// The same for commands with a client of their own.
client::Answer<std::string> workflow_id(const ClientFlags& flags, const std::string& id_or_key);

// A member as text; empty if absent or null.
std::string text_of(const boost::json::object& object, std::string_view name);
// One line per non-empty member.
Lines described(const boost::json::object& object);
// Prints a page of a list: unchanged as JSON, or one line per item.
ExitCode print_page(const boost::json::object& page, Format format,
                    std::string (*summarized)(const boost::json::object&));

}  // namespace holdfast::app
