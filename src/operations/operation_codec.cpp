#include "operations/operation_codec.h"

#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "model/codec/codec.h"

namespace holdfast {
namespace {

template <class Op>
Result<Operation> read_as(const boost::json::value& value) {
    MemberReader reader(value);
    Op op;
    op::MemberForm::read(reader, "cause", op.cause);
    if constexpr (Keyed<Op>) op::MemberForm::read(reader, "clientKey", op.client_key);
    HF_CHECK(op::MemberForm::read_members(reader, op));
    return reader.give(Operation(std::move(op)));
}

template <std::size_t index = 0>
Result<Operation> read_named(std::string_view name, const boost::json::value& value) {
    if constexpr (index == std::variant_size_v<Operation>) {
        return fail(ErrorCode::corrupt, "unknown operation '" + std::string(name) + "'");
    } else {
        using Op = std::variant_alternative_t<index, Operation>;
        return name == Op::name ? read_as<Op>(value) : read_named<index + 1>(name, value);
    }
}

}  // namespace

boost::json::object to_json(const Operation& operation) {
    return std::visit([](const auto& op) { return op::operation_json(op); }, operation);
}

boost::json::object to_json(const AnyOutcome& outcome) {
    return std::visit([](const auto& one) { return op::outcome_json(one); }, outcome);
}

Result<Operation> operation_from_json(const boost::json::value& value) {
    MemberReader reader(value);
    HF_TRY(const std::string name, reader.give(reader.text("operation")));
    return read_named(name, value);
}

namespace op {

std::string kept_text(const boost::json::object& outcome) { return json::canonical(outcome); }

Result<boost::json::value> parse_kept(std::string_view kept) {
    return json::parse(kept, {.depth = 1'000, .nodes = 10'000'000});
}

}  // namespace op
}  // namespace holdfast
