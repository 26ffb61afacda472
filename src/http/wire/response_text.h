// A response's status line and headers as the bytes that go over the wire.
#pragma once

#include <string>

#include "http/wire/message.h"
#include "http/wire/request_head.h"

namespace holdfast::http {

// Writes the head of `response` over `text`, with the headers the server owns: Content-Length,
// Connection, Server, X-Content-Type-Options, and Cache-Control unless given. The body follows as
// it is, if it follows: a HEAD's answer announces the length of a body that is not sent.
void write_head(std::string& text, const Response& response, Persistence persistence);

// Whether a body goes out with the answer to `method`.
bool has_body(const Response& response, Method method);

}  // namespace holdfast::http
