#include "http/input/check_request.h"

#include <algorithm>
#include <charconv>

#include "base/assert.h"
#include "http/input/input.h"
#include "http/responses/problem.h"
#include "http/router.h"

namespace holdfast::http {
namespace {

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
    return number;
}

bool fits(const AnyText&, std::string_view) { return true; }

bool fits(const WholeNumber& form, std::string_view text) {
    const auto number = whole_number(text);
    return number && *number >= form.least && *number <= form.most;
}

bool fits(const Choice& form, std::string_view text) {
    return std::ranges::find(form.values, text) != form.values.end();
}

bool fits(const Flag&, std::string_view text) { return text == "true" || text == "false"; }

std::string wording(const AnyText&) { return "a text"; }

std::string wording(const WholeNumber& form) {
    return "a number from " + std::to_string(form.least) + " to " + std::to_string(form.most);
}

std::string wording(const Choice& form) {
    std::string text;
    for (std::size_t i = 0; i < form.values.size(); ++i) {
        const bool last = i + 1 == form.values.size();
        text += (i == 0 ? "" : last ? " or " : ", ") + form.values[i];
    }
    return text;
}

std::string wording(const Flag&) { return "true or false"; }

const Parameter* find_parameter(const Description& description, std::string_view name) {
    const auto found = std::ranges::find_if(description.parameters, [&](const Parameter& one) {
        return one.prefix().empty() ? one.name == name : name.starts_with(one.prefix());
    });
    return found == description.parameters.end() ? nullptr : &*found;
}

std::unexpected<Error> unknown_parameter(const Description& description, const std::string& name) {
    std::string known;
    for (const Parameter& one : description.parameters)
        known += (known.empty() ? ": this route takes " : ", ") + one.name;
    return refuse("unknown parameter '" + name + "'" + known);
}

std::unexpected<Error> unfit(const Parameter& parameter) {
    const std::string must_be =
        parameter.must_be.empty()
            ? std::visit([](const auto& form) { return wording(form); }, parameter.form)
            : parameter.must_be;
    return refuse(parameter.name + " must be " + must_be);
}

Result<void> check_query(const Description& description, const Request& request) {
    using Sent = std::pair<std::string, std::string>;
    for (const auto& [name, value] : request.query) {
        const Parameter* parameter = find_parameter(description, name);
        if (!parameter) return unknown_parameter(description, name);
        if (std::ranges::count(request.query, name, &Sent::first) > 1)
            return refuse("parameter '" + name + "' appears twice");
        if (!std::visit([&](const auto& form) { return fits(form, value); }, parameter->form))
            return unfit(*parameter);
    }
    for (const Parameter& one : description.parameters)
        if (one.presence == Presence::required && !request.query_value(one.name)) return unfit(one);
    return {};
}

bool has_known_type(const Body& body, const Request& request) {
    if (request.body.empty() && body.presence == Presence::optional) return true;
    return std::ranges::find(body.forms, content_type(request), &BodyForm::type) !=
           body.forms.end();
}

std::string listed_types(const Body& body) {
    std::string types;
    for (const BodyForm& form : body.forms) types += (types.empty() ? "" : ", ") + form.type;
    return types;
}

Response unsupported(const Body& body, Method method) {
    Response response = problem(Error{ErrorCode::unsupported_media, body.refusal, {}});
    if (method == Method::patch) response.headers.add("Accept-Patch", listed_types(body));
    return response;
}

const WholeNumber& number_form(const Request& request, std::string_view name) {
    HF_ASSERT(request.route, "only an admitted request is asked for its parameters");
    const Parameter* parameter = find_parameter(request.route->description, name);
    const auto* form = parameter ? std::get_if<WholeNumber>(&parameter->form) : nullptr;
    HF_ASSERT(form, "a number that a handler reads is in its route's description");
    return *form;
}

}  // namespace

std::optional<Response> refusal_of(const Description& description, const Request& request) {
    if (!description.takes_any_parameters)
        if (const auto fine = check_query(description, request); !fine)
            return problem(fine.error());
    const auto& body = description.request_body;
    if (body && !has_known_type(*body, request)) return unsupported(*body, request.method);
    return std::nullopt;
}

std::optional<std::uint64_t> find_number(const Request& request, std::string_view name) {
    number_form(request, name);
    const auto text = request.query_value(name);
    return text ? whole_number(*text) : std::nullopt;
}

std::uint64_t number_of(const Request& request, std::string_view name) {
    const auto sent = find_number(request, name);
    return sent ? *sent : number_form(request, name).standard.value();
}

bool flag_of(const Request& request, std::string_view name) {
    return request.query_value(name) == "true";
}

}  // namespace holdfast::http
