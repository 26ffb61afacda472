// Serializes a response's status line and headers.
#pragma once

#include <string>

#include "http/wire/message.h"
#include "http/wire/request_head.h"

namespace holdfast::http {

// Writes the head of `response` over `text`, with the headers the server owns: Content-Length,
// Connection, Server, X-Content-Type-Options, and Cache-Control unless given. The caller writes the
// body; a response to HEAD has the Content-Length of a body that is not sent.
void write_head(std::string& text, const Response& response, Persistence persistence);

// Whether a body is sent with the response to `method`.
bool has_body(const Response& response, Method method);

}  // namespace holdfast::http
