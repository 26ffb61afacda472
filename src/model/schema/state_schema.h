// A compiled JSON Schema (draft 7, no remote references) that a state must satisfy.
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast {

namespace schema {
struct Program;
}

struct SchemaViolation {
    std::string path;  // JSON Pointer into the state
    std::string message;

    bool operator==(const SchemaViolation&) const = default;
};

// Immutable once compiled; shared between threads.
class StateSchema {
public:
    // malformed_json: not JSON, or nested deeper than 64. invalid_argument: not a draft 7 schema,
    // or one that cannot be checked in bounded time (model/schema/compile.h); the message names the
    // part. `format` is an annotation.
    static Result<std::shared_ptr<const StateSchema>> compile(std::string_view schema_text);

    ~StateSchema();

    // At most 20 violations; empty: the state is valid. Steps and stack are bounded; a state that
    // needs more is not valid.
    std::vector<SchemaViolation> check(const boost::json::value& state) const;

private:
    explicit StateSchema(std::unique_ptr<const schema::Program> program);

    std::unique_ptr<const schema::Program> program_;
};

}  // namespace holdfast
