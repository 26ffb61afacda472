// Checks a request against the description of its route, and gives the values of its parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "http/description/description.h"
#include "http/wire/message.h"

namespace holdfast::http {

// 400: a parameter that is unknown, repeated, missing or not of its form; 415: a body of another
// content type. Absent: it fits.
std::optional<Response> refusal_of(const Description& description, const Request& request);

// Of a parameter that the route's description has with a standard value, which counts if it was
// not sent. The router has checked it.
std::uint64_t number_of(const Request& request, std::string_view name);
// Absent: not sent.
std::optional<std::uint64_t> find_number(const Request& request, std::string_view name);
bool flag_of(const Request& request, std::string_view name);

}  // namespace holdfast::http
