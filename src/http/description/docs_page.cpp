#include "http/description/docs_page.h"

#include <boost/json.hpp>
#include <map>
#include <vector>

namespace holdfast::http {
namespace {

namespace bj = boost::json;

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) switch (c) {
            case '<': safe += "&lt;"; break;
            case '>': safe += "&gt;"; break;
            case '&': safe += "&amp;"; break;
            case '"': safe += "&quot;"; break;
            default: safe += c;
        }
    return safe;
}

// Text with `code` in it.
std::string prose(std::string_view text) {
    std::string html;
    bool code = false;
    for (const char c : escaped(text)) {
        if (c != '`') {
            html += c;
            continue;
        }
        html += code ? "</code>" : "<code>";
        code = !code;
    }
    return html + (code ? "</code>" : "");
}

std::string tag(std::string_view name, const std::string& content) {
    return "<" + std::string(name) + ">" + content + "</" + std::string(name) + ">";
}

std::string text_of(const bj::value* value) {
    return value && value->is_string() ? std::string(value->get_string()) : "";
}

std::string last_part(const std::string& reference) {
    return reference.substr(reference.rfind('/') + 1);
}

std::string link(const std::string& schema) {
    return "<a href=\"#" + escaped(schema) + "\">" + escaped(schema) + "</a>";
}

// The type of a value in a few words, with links to schemas.
std::string type_of(const bj::value& schema) {
    const bj::object* object = schema.if_object();
    if (!object || object->empty()) return "any";
    if (const bj::value* reference = object->if_contains("$ref"))
        return link(last_part(text_of(reference)));
    for (const char* choice : {"anyOf", "oneOf"})
        if (const bj::value* list = object->if_contains(choice)) {
            std::string types;
            for (const bj::value& one : list->as_array())
                types += (types.empty() ? "" : " or ") + type_of(one);
            return types;
        }
    if (const bj::value* values = object->if_contains("enum"))
        return "<code>" + escaped(bj::serialize(*values)) + "</code>";
    if (const bj::value* items = object->if_contains("items")) return "list of " + type_of(*items);
    const bj::value* type = object->if_contains("type");
    if (!type) return "any";
    std::string text = type->is_string() ? escaped(text_of(type)) : escaped(bj::serialize(*type));
    for (const char* limit : {"minimum", "maximum", "default", "format"})
        if (const bj::value* value = object->if_contains(limit))
            text += ", " + std::string(limit) + " " + escaped(bj::serialize(*value));
    return text;
}

std::string row(const std::vector<std::string>& cells) {
    std::string html;
    for (const std::string& cell : cells) html += tag("td", cell);
    return tag("tr", html);
}

const bj::value* resolved(const bj::object& openapi, const bj::value* value) {
    const bj::value* reference = value->as_object().if_contains("$ref");
    if (!reference) return value;
    const std::string path = text_of(reference);
    const std::string kind = last_part(path.substr(0, path.rfind('/')));
    return &openapi.at("components").at(kind).at(last_part(path));
}

std::string parameters_html(const bj::object& openapi, const bj::object& operation) {
    const bj::value* list = operation.if_contains("parameters");
    if (!list) return "";
    std::string rows;
    for (const bj::value& item : list->as_array()) {
        const bj::object& one = resolved(openapi, &item)->as_object();
        const bool required = one.at("required").as_bool();
        rows += row({"<code>" + escaped(text_of(one.if_contains("name"))) + "</code>",
                     escaped(text_of(one.if_contains("in"))) + (required ? ", required" : ""),
                     type_of(one.at("schema")), prose(text_of(one.if_contains("description")))});
    }
    return "<h4>Parameters and headers</h4>" + tag("table", rows);
}

std::string content_html(const bj::value* content) {
    std::string html;
    if (!content) return html;
    for (const auto& [type, form] : content->as_object())
        html += (html.empty() ? "" : "<br>") + tag("code", escaped(type)) + " " +
                type_of(form.at("schema"));
    return html;
}

std::string body_html(const bj::object& operation) {
    const bj::value* body = operation.if_contains("requestBody");
    if (!body) return "";
    return "<h4>Body</h4><p>" + content_html(&body->at("content")) +
           (body->at("required").as_bool() ? "" : " (may be absent)") + "</p>";
}

std::string responses_html(const bj::object& openapi, const bj::object& operation) {
    std::string rows;
    for (const auto& [status, listed] : operation.at("responses").as_object()) {
        const bj::object& response = resolved(openapi, &listed)->as_object();
        std::string headers;
        if (const bj::value* all = response.if_contains("headers"))
            for (const auto& [name, header] : all->as_object())
                headers += tag("code", escaped(name)) + " ";
        rows += row({escaped(status), prose(text_of(response.if_contains("description"))), headers,
                     content_html(response.if_contains("content"))});
    }
    return "<h4>Answers</h4>" + tag("table", rows);
}

std::string operation_html(const bj::object& openapi, std::string_view method,
                           std::string_view path, const bj::object& operation) {
    return "<details id=\"" + escaped(text_of(operation.if_contains("operationId"))) +
           "\"><summary><b>" + escaped(method) + "</b> <code>" + escaped(path) + "</code> " +
           prose(text_of(operation.if_contains("summary"))) + "</summary>" +
           parameters_html(openapi, operation) + body_html(operation) +
           responses_html(openapi, operation) + "</details>\n";
}

std::string schema_html(std::string_view name, const bj::object& schema) {
    std::string rows;
    const bj::value* required = schema.if_contains("required");
    const auto is_required = [&](std::string_view member) {
        for (const bj::value& one : required ? required->as_array() : bj::array{})
            if (one.as_string() == member) return true;
        return false;
    };
    if (const bj::value* members = schema.if_contains("properties"))
        for (const auto& [member, type] : members->as_object())
            rows += row({"<code>" + escaped(member) + "</code>",
                         is_required(member) ? "" : "may be absent", type_of(type)});
    std::string html = "<details id=\"" + escaped(name) + "\"><summary><code>" + escaped(name) +
                       "</code> " + prose(text_of(schema.if_contains("description"))) +
                       "</summary>";
    html += rows.empty() ? "<p>" + type_of(schema) + "</p>" : tag("table", rows);
    if (const bj::value* examples = schema.if_contains("examples"))
        for (const bj::value& one : examples->as_array())
            html += tag("pre", escaped(bj::serialize(one)));
    return html + "</details>\n";
}

constexpr std::string_view style = R"(:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; border-left: 3px solid #8886; padding-left: 0.75rem; }
details { border-top: 1px solid #8884; padding: 0.5rem 0; }
summary { cursor: pointer; }
summary:focus-visible, a:focus-visible { outline: 2px solid; outline-offset: 2px; }
summary b { display: inline-block; min-width: 4.5rem; text-transform: uppercase; }
h4 { margin: 1rem 0 0.25rem; }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid #8883; padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
)";

}  // namespace

std::string_view docs_style() { return style; }

std::string docs_page(const bj::object& openapi) {
    std::map<std::string, std::string> groups;
    for (const auto& [path, methods] : openapi.at("paths").as_object())
        for (const auto& [method, operation] : methods.as_object()) {
            const std::string group(operation.at("tags").at(0).as_string());
            groups[group] += operation_html(openapi, method, path, operation.as_object());
        }
    std::string html =
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        "<title>Holdfast API</title><link rel=\"stylesheet\" href=\"/docs/style.css\"></head>"
        "<body><main><h1>Holdfast API</h1><p>" +
        prose(text_of(openapi.at("info").as_object().if_contains("description"))) +
        "</p><p>For programs: <a href=\"/openapi.json\">openapi.json</a>.</p>\n";
    for (const auto& [group, operations] : groups)
        html += tag("h2", escaped(group)) + "\n" + operations;
    html += "<h2>Schemas and problem types</h2>\n";
    for (const auto& [name, schema] : openapi.at("components").at("schemas").as_object())
        html += schema_html(name, schema.as_object());
    return html + "</main></body></html>\n";
}

}  // namespace holdfast::http
