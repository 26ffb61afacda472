// /api/v1/settings: what the server runs with
#include <boost/json.hpp>
#include <utility>

#include "http/responses/problem.h"
#include "http/settings.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

bj::value text_or_null(const std::string& text) {
    return text.empty() ? bj::value(nullptr) : bj::value(text);
}

bj::object setting_json(const Setting& setting) {
    return {{"name", setting.name},
            {"text", setting.text},
            {"variable", text_or_null(setting.variable)},
            {"values", bj::array(setting.values.begin(), setting.values.end())},
            {"source", name_of(setting.source)},
            {"sameAs", text_or_null(setting.same_as)}};
}

}  // namespace

std::string_view name_of(Setting::Source source) {
    switch (source) {
        case Setting::Source::standard: return "default";
        case Setting::Source::file: return "file";
        case Setting::Source::environment: return "environment";
        case Setting::Source::flag: return "flag";
    }
    std::unreachable();
}

void add_setting_routes(Router& router, const std::vector<Setting>& settings) {
    bj::object body{{"items", bj::array()}};
    for (const Setting& setting : settings)
        body["items"].as_array().push_back(setting_json(setting));
    router.add({Method::get, "/api/v1/settings", Access::guarded,
                Description("listSettings", admins,
                            "What this node runs with, and where from; passwords are hidden.")
                    .answer(200, "Every setting of `serve`.", "SettingList"),
                [body = std::move(body)](Request, Respond respond) {
                    respond(json_response(200, body));
                }});
}

}  // namespace holdfast::http
