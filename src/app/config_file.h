// Settings of the server in a TOML file: each flag of `serve`, without its dashes, is a key.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "http/settings.h"

namespace CLI {
class App;
}

namespace holdfast::app {

// Gives the options of a parsed command what the file says, unless the command line or the
// environment did. Empty path: nothing. Returns the names of what it set. invalid_argument: it is
// no TOML, or has a key or value that the command does not know.
Result<std::vector<std::string>> apply_config(CLI::App& command, const std::string& path);

// The settings of a parsed command, each with where it comes from; `from_file` is what
// apply_config returned. Passwords in URLs are hidden.
std::vector<http::Setting> settings_of(const CLI::App& command,
                                       const std::vector<std::string>& from_file);

// As the lines of a file that apply_config takes.
std::vector<std::string> as_toml(const std::vector<http::Setting>& settings);

}  // namespace holdfast::app
