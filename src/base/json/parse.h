// Reads JSON strictly: what cannot be stored and hashed without loss is refused at the edge.
#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace holdfast::json {

namespace bj = boost::json;

struct Limits {
    std::size_t depth = 64;
    std::size_t nodes = 100'000;
};

// One JSON text, UTF-8, nothing after it but white space.
// malformed_json: syntax, bad UTF-8, NUL in a string or key, duplicate keys, deeper or larger than
// `limits`; the context has `offset`.
// unrepresentable: a number whose decimal value neither a 64-bit integer nor a double (by its
// shortest form) keeps exactly, or whose exponent exceeds 31 bits; the context has `path`, a JSON
// Pointer.
// An integral number in the 64-bit range becomes an integer however it is written (`1e2` is 100),
// -0 is 0.
Result<bj::value> parse(std::string_view text, const Limits& limits = {});

}  // namespace holdfast::json
