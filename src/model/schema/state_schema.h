// A compiled JSON Schema (draft 7, no remote references) that a state must satisfy.
#pragma once

#include <atomic>
#include <boost/json/value.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/effort.h"
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

// Shared between threads.
class StateSchema {
public:
    // malformed_json: not JSON, or nested deeper than 64. invalid_argument: not a draft 7 schema,
    // or one that cannot be checked in bounded time (model/schema/compile.h); the message names the
    // part. `format` is an annotation.
    static Result<std::shared_ptr<const StateSchema>> compile(std::string_view schema_text);
    // A schema that was compiled when it was defined: the first check compiles it again, so that
    // loading a definition costs nothing.
    static std::shared_ptr<const StateSchema> stored(std::string schema_text);

    ~StateSchema();

    // At most 20 violations; empty: the state is valid. Stack and effort are bounded: a state that
    // needs more is not valid. If the effort is exhausted, whoever has more to spend checks again.
    std::vector<SchemaViolation> check(const boost::json::value& state, Effort& effort) const;

private:
    explicit StateSchema(std::string text);

    // The error of a stored schema that does not compile any more. The first call compiles: it
    // spends the effort of that, or gives null.
    Result<const schema::Program*> program(Effort& effort) const;

    const std::string text_;
    mutable std::mutex compiling_;
    mutable std::unique_ptr<const schema::Program> compiled_;  // set once
    mutable std::atomic<const schema::Program*> program_ = nullptr;
};

}  // namespace holdfast
