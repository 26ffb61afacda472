// What the server runs with, as `serve` read it, for those who operate it.
#pragma once

#include <string>
#include <vector>

#include "http/router.h"

namespace holdfast::http {

struct Setting {
    // The later ones win over the earlier.
    enum class Source { standard, file, environment, flag };

    std::string name;                  // "keep-ended": its flag without the dashes
    std::string text;                  // what it does
    std::string variable;              // of the environment; empty: none
    std::vector<std::string> values;   // without passwords; empty: it is not set
    Source source = Source::standard;  // where they come from
    std::string same_as;               // the setting that it follows; empty: it has its own values
};

std::string_view name_of(Setting::Source source);

// GET /api/v1/settings. A program that embeds the engine has none.
void add_setting_routes(Router& router, const std::vector<Setting>& settings);

}  // namespace holdfast::http
