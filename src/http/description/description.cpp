#include "http/description/description.h"

#include <algorithm>

namespace holdfast::http {
namespace {

struct UsualPath {
    std::string_view name;
    PathText meaning;
};

constexpr UsualPath usual_paths[] = {
    {"id", {"The id of the workflow.", "uuid"}},
    {"key", {"The key of the definition.", ""}},
    {"event", {"The id of the event.", "uuid"}},
    {"task", {"The id of the task.", "uuid"}},
    {"signal", {"The id of the dead letter, which is that of its signal.", "uuid"}},
    {"worker", {"The id of the worker.", "uuid"}},
    {"index", {"The index of the step in the journal of the current run.", "uint64"}},
};

}  // namespace

Description Description::of_page() {
    Description page("", anybody, "");
    page.listed = false;
    return page.any_parameters();
}

Description& Description::query(Parameter parameter) {
    parameters.push_back(std::move(parameter));
    return *this;
}

Description& Description::page(std::uint64_t standard, std::uint64_t most) {
    query({"limit", "How many items the page has at most.", WholeNumber{1, most, standard}});
    return query({"cursor", "`nextCursor` of the page before, with the same other parameters."});
}

Description& Description::any_parameters() {
    takes_any_parameters = true;
    return *this;
}

Description& Description::audited() {
    is_audited = true;
    return problems({"audit-unavailable"});
}

Description& Description::path(std::string_view name, std::string_view text) {
    paths.emplace_back(name, text);
    return *this;
}

Description& Description::if_match(Presence presence) {
    headers.push_back({"If-Match", presence,
                       "The version that the change is meant for, as `ETag` had it: \"3\". `*` is "
                       "any version."});
    return *this;
}

Description& Description::if_none_match() {
    headers.push_back({"If-None-Match", Presence::optional,
                       "The `ETag` that the client has: 304 if it is still the current one."});
    answers.push_back(
        {.status = 304, .text = "The client has the current one.", .headers = {"ETag"}});
    return *this;
}

Description& Description::repeatable() {
    headers.push_back({"Idempotency-Key", Presence::optional,
                       "1 to 255 visible ASCII characters. A repeat of the request with the same "
                       "key gets the answer of the first one and changes nothing."});
    return problems({"idempotency-key-reused"});
}

Description& Description::body(std::string schema, Presence presence) {
    request_body = Body{.presence = presence,
                        .forms = {{"application/json", std::move(schema)}},
                        .refusal = "send the body as Content-Type: application/json"};
    return problems({"malformed-json", "number-not-exact"});
}

Description& Description::body_as(std::string type, std::string schema) {
    if (!request_body) request_body.emplace();
    request_body->forms.push_back({std::move(type), std::move(schema)});
    return *this;
}

Description& Description::instead_send(std::string refusal) {
    request_body->refusal = std::move(refusal);
    return *this;
}

Description& Description::answer(int status, std::string text, std::string schema,
                                 std::vector<std::string_view> headers) {
    answers.push_back(
        {status, std::move(text), "application/json", std::move(schema), std::move(headers)});
    return *this;
}

Description& Description::answer_as(int status, std::string text, std::string type,
                                    std::vector<std::string_view> headers) {
    answers.push_back({.status = status,
                       .text = std::move(text),
                       .type = std::move(type),
                       .headers = std::move(headers)});
    return *this;
}

Description& Description::done(std::string text) {
    answers.push_back({.status = 204, .text = std::move(text)});
    return *this;
}

Description& Description::problems(std::initializer_list<std::string_view> more) {
    slugs.insert(slugs.end(), more);
    return *this;
}

PathText path_text(const Description& description, std::string_view name) {
    for (const auto& [known, text] : description.paths)
        if (known == name) return {text, ""};
    const auto found = std::ranges::find(usual_paths, name, &UsualPath::name);
    return found == std::end(usual_paths) ? PathText{} : found->meaning;
}

}  // namespace holdfast::http
