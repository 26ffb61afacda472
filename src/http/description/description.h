// What a route takes and what it answers. The router refuses by it what does not fit, and
// /openapi.json, /docs and the tests' check of every response are made from it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "http/access/rule.h"

namespace holdfast::http {

// The values that a parameter takes. The router checks all but the format of a text, which the
// handler reads.
struct AnyText {
    std::string format = {};  // as in JSON Schema; empty: none
};
struct WholeNumber {
    std::uint64_t least = 0;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::optional<std::uint64_t> standard = {};  // if it is not sent
};
struct Choice {
    std::vector<std::string> values;
};
struct Flag {};  // true or false; false if it is not sent
using Form = std::variant<AnyText, WholeNumber, Choice, Flag>;

enum class Presence { required, optional };

struct Parameter {
    std::string name;  // "path.A.B": every parameter that begins with "path."
    std::string text;
    Form form = AnyText{};
    std::string must_be = {};  // for the refusal; empty: made from the form
    Presence presence = Presence::optional;

    // Empty: it is no family of parameters.
    std::string_view prefix() const { return std::string_view(name).substr(0, name.find('.') + 1); }
};

struct RequestHeader {
    std::string_view name;
    Presence presence;
    std::string_view text;
};

struct BodyForm {
    std::string type;
    std::string schema;  // the name of a component; empty: not JSON
};

struct Body {
    Presence presence = Presence::required;
    std::vector<BodyForm> forms;
    std::string refusal;  // what to send instead of another content type
};

// A success. Problems are named by their slugs (problems.h).
struct Answer {
    int status = 200;
    std::string text;
    std::string type = {};    // empty: without a body
    std::string schema = {};  // empty: not JSON
    std::vector<std::string_view> headers = {};
};

class Description {
public:
    // `id` is the operation's name for generated clients; `summary` is one sentence.
    Description(std::string id, Rule rule, std::string summary)
        : id(std::move(id)), rule(rule), summary(std::move(summary)) {}

    // A file of the dashboard: open, takes any parameters, not listed.
    static Description of_page();

    Description& query(Parameter parameter);
    // `limit` and `cursor` of a list.
    Description& page(std::uint64_t standard, std::uint64_t most);
    Description& any_parameters();
    // The text of a {name} in the pattern, if the usual one (path_text) does not fit.
    Description& path(std::string_view name, std::string_view text);
    Description& if_match(Presence presence);
    Description& if_none_match();  // and 304
    Description& repeatable();     // Idempotency-Key
    Description& body(std::string schema, Presence presence = Presence::required);
    Description& body_as(std::string type, std::string schema);
    Description& instead_send(std::string refusal);
    Description& answer(int status, std::string text, std::string schema,
                        std::vector<std::string_view> headers = {});
    Description& answer_as(int status, std::string text, std::string type,
                           std::vector<std::string_view> headers = {});
    Description& done(std::string text);  // 204
    Description& problems(std::initializer_list<std::string_view> slugs);
    // Its requests are in the audit.
    Description& audited();

    std::string id;
    Rule rule;
    std::string summary;
    bool listed = true;
    bool takes_any_parameters = false;
    bool is_audited = false;
    std::vector<Parameter> parameters;
    std::vector<std::pair<std::string_view, std::string_view>> paths;
    std::vector<RequestHeader> headers;
    std::optional<Body> request_body;
    std::vector<Answer> answers;
    std::vector<std::string_view> slugs;
};

// What a {name} of a pattern stands for, and its format. Empty: unknown.
struct PathText {
    std::string_view text;
    std::string_view format;
};
PathText path_text(const Description& description, std::string_view name);

}  // namespace holdfast::http
