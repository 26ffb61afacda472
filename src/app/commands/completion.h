// What is made from the table of commands: completion of shells, the man page, near names.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace holdfast::app {

enum class Shell { bash, zsh, fish };

// A script for the shell to load.
std::string completion_of(const CLI::App& program, Shell shell);
// In the language of man pages.
std::string manual_of(const CLI::App& program);
// Null: there is none.
const CLI::App* find_command(const CLI::App& app, const std::string& name);
// The name that differs from `word` by two letters at most; empty: none.
std::string nearest(const std::vector<std::string>& names, const std::string& word);
std::string nearest_command(const CLI::App& app, const std::string& word);

}  // namespace holdfast::app
