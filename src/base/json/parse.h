// Strict JSON parser: refuses input that cannot be stored and hashed without loss.
#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace holdfast::json {

namespace bj = boost::json;

struct Limits {
    std::size_t depth = 64;
    std::size_t nodes = 100'000;
};

// One JSON text in UTF-8, followed by nothing but whitespace.
// malformed_json: syntax, bad UTF-8, NUL in a string or key, duplicate keys, deeper or larger than
// `limits`; the context has `offset`.
// unrepresentable: a number that neither a 64-bit integer nor a double (by its shortest form)
// represents exactly, or whose exponent exceeds 31 bits; the context has `path`, a JSON Pointer.
// An integral number in the 64-bit range becomes an integer: `1e2` is 100, -0 is 0.
Result<bj::value> parse(std::string_view text, const Limits& limits = {});

// How many texts this process has parsed: shows work that is done twice.
std::uint64_t texts_parsed();

}  // namespace holdfast::json
