#include "model/schema/state_schema.h"

#include <boost/json.hpp>

#include "base/json/parse.h"
#include "model/schema/check.h"
#include "model/schema/compile.h"

namespace holdfast {
namespace {

constexpr std::size_t most_violations = 20;

}  // namespace

StateSchema::StateSchema(std::unique_ptr<const schema::Program> program)
    : program_(std::move(program)) {}
StateSchema::~StateSchema() = default;

Result<std::shared_ptr<const StateSchema>> StateSchema::compile(std::string_view schema_text) {
    const auto value = json::parse(schema_text);
    if (!value) return std::unexpected(value.error());
    if (!value->is_object())
        return fail(ErrorCode::invalid_argument, "a schema must be a JSON object");
    auto program = schema::compile(*value);
    if (!program) return std::unexpected(std::move(program.error()));
    return std::shared_ptr<const StateSchema>(new StateSchema(*std::move(program)));
}

std::vector<SchemaViolation> StateSchema::check(const boost::json::value& state) const {
    return schema::check(*program_, state, most_violations);
}

}  // namespace holdfast
