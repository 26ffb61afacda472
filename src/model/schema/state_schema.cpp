#include "model/schema/state_schema.h"

#include <boost/json.hpp>

#include "base/json/parse.h"
#include "model/schema/check.h"
#include "model/schema/compile.h"

namespace holdfast {
namespace {

constexpr std::size_t most_violations = 20;
constexpr std::uint64_t units_per_byte = 4;              // of the text of a schema
constexpr std::uint64_t units_for_patterns = 1'000'000;  // they may take milliseconds each

Result<std::unique_ptr<const schema::Program>> compile_text(std::string_view text) {
    HF_TRY(const auto value, json::parse(text));
    if (!value.is_object())
        return fail(ErrorCode::invalid_argument, "a schema must be a JSON object");
    return schema::compile(value);
}

std::uint64_t effort_of_compiling(std::string_view text) {
    return units_per_byte * text.size() + (text.contains("\"pattern") ? units_for_patterns : 0);
}

}  // namespace

StateSchema::StateSchema(std::string text) : text_(std::move(text)) {}
StateSchema::~StateSchema() = default;

Result<std::shared_ptr<const StateSchema>> StateSchema::compile(std::string_view schema_text) {
    HF_TRY(auto program, compile_text(schema_text));
    std::shared_ptr<StateSchema> schema(new StateSchema(std::string(schema_text)));
    schema->compiled_ = std::move(program);
    schema->program_ = schema->compiled_.get();
    return schema;
}

std::shared_ptr<const StateSchema> StateSchema::stored(std::string schema_text) {
    return std::shared_ptr<const StateSchema>(new StateSchema(std::move(schema_text)));
}

Result<const schema::Program*> StateSchema::program(Effort& effort) const {
    if (const schema::Program* known = program_) return known;
    if (!effort.spend(effort_of_compiling(text_))) return nullptr;
    const std::lock_guard lock(compiling_);
    if (compiled_) return compiled_.get();
    HF_TRY(compiled_, compile_text(text_));
    program_ = compiled_.get();
    return compiled_.get();
}

std::vector<SchemaViolation> StateSchema::check(const boost::json::value& state,
                                                Effort& effort) const {
    const auto program = this->program(effort);
    if (!program)
        return {
            {"", "the schema of the definition cannot be compiled: " + program.error().message}};
    if (!*program) return {{"", "the schema of the definition takes too long to compile"}};
    return schema::check(**program, state, most_violations, effort);
}

}  // namespace holdfast
