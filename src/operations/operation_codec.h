// What the description of an operation gives: its JSON, its reader, and the form in which its
// outcome is kept for repeats with the same client key.
#pragma once

#include <boost/json/object.hpp>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "operations/member_form.h"
#include "operations/operation.h"

namespace holdfast {

// The inverse of to_json. corrupt: not an operation, or a member is missing or invalid.
Result<Operation> operation_from_json(const boost::json::value& value);

namespace op {

template <class Op>
boost::json::object operation_json(const Op& op) {
    boost::json::object object{{"operation", op.name}, {"cause", MemberForm::of(op.cause)}};
    if constexpr (Keyed<Op>) object["clientKey"] = MemberForm::of(op.client_key);
    return MemberForm::write_members(op, std::move(object));
}

// {"outcome": name, ...members}
template <class... Outcomes>
boost::json::object outcome_json(const std::variant<Outcomes...>& outcome) {
    return std::visit(
        [](const auto& one) { return MemberForm::write_members(one, {{"outcome", one.name}}); },
        outcome);
}

// The outcomes that changed something, and are kept: the first one, unless the operation names
// them.
template <class Op>
struct KeptOf {
    using Type = std::variant<std::variant_alternative_t<0, typename Op::Outcome>>;
};
template <class Op>
    requires requires { typename Op::Kept; }
struct KeptOf<Op> {
    using Type = typename Op::Kept;
};

template <class One, class Variant>
inline constexpr bool is_alternative = false;
template <class One, class... Ones>
inline constexpr bool is_alternative<One, std::variant<Ones...>> = (std::same_as<One, Ones> || ...);

std::string kept_text(const boost::json::object& outcome);
Result<boost::json::value> parse_kept(std::string_view kept);

// Absent: a refusal, which is not kept.
template <class Op>
std::optional<std::string> kept_form(const typename Op::Outcome& outcome) {
    const bool kept = std::visit(
        []<class One>(const One&) { return is_alternative<One, typename KeptOf<Op>::Type>; },
        outcome);
    return kept ? std::optional(kept_text(outcome_json(outcome))) : std::nullopt;
}

// corrupt: not an outcome that this operation keeps.
template <class Op>
Result<typename Op::Outcome> from_kept(std::string_view kept) {
    HF_TRY(const boost::json::value value, parse_kept(kept));
    MemberReader reader(value);
    const std::string name = reader.text("outcome");
    std::optional<typename Op::Outcome> outcome;
    const auto read_as = [&]<class One>(std::type_identity<One>) {
        if (outcome || name != One::name) return;
        One one{};
        if (!MemberForm::read_members(reader, one)) reader.blame("outcome");
        outcome = std::move(one);
    };
    [&]<class... Ones>(std::type_identity<std::variant<Ones...>>) {
        (read_as(std::type_identity<Ones>()), ...);
    }(std::type_identity<typename KeptOf<Op>::Type>());
    if (!outcome) return fail(ErrorCode::corrupt, "unknown kept outcome '" + name + "'");
    return reader.give(*std::move(outcome));
}

}  // namespace op
}  // namespace holdfast
