#include "app/commands/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>
#include <vector>

namespace holdfast::app {
namespace {

// The words that may follow the subcommands in `path`, such as "events send".
struct Words {
    std::string path;
    std::vector<std::string> next;
};

bool any(const CLI::App*) { return true; }

std::vector<const CLI::App*> commands_of(const CLI::App& app) { return app.get_subcommands(any); }

void collect(const CLI::App& app, const std::string& path, std::vector<Words>& all) {
    Words words{path, {}};
    for (const CLI::App* command : commands_of(app)) words.next.push_back(command->get_name());
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) words.next.push_back("--" + name);
    all.push_back(std::move(words));
    for (const CLI::App* command : commands_of(app))
        collect(*command, path.empty() ? command->get_name() : path + ' ' + command->get_name(),
                all);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string cases_of(const std::vector<Words>& all) {
    std::string text;
    for (const auto& [path, next] : all)
        text += "        '" + path + "') words='" + joined(next) + "' ;;\n";
    return text;
}

// The path is made of the words that are no flags, as far as it is one of the table.
constexpr const char* path_of_line = R"(    local path='' word
    for word in "${given[@]}"; do
        case $word in -*) continue ;; esac
        case "$known" in *"|${path:+$path }$word|"*) path="${path:+$path }$word" ;; esac
    done
)";

std::string known_of(const std::vector<Words>& all) {
    std::string text = "|";
    for (const Words& words : all) text += words.path + "|";
    return text;
}

std::string bash_completion(const std::vector<Words>& all) {
    return "_holdfast() {\n    local given=(\"${COMP_WORDS[@]:1:COMP_CWORD-1}\") words=''\n"
           "    local known='" +
           known_of(all) + "'\n" + path_of_line + "    case $path in\n" + cases_of(all) +
           "    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
           "}\ncomplete -o default -F _holdfast holdfast\n";
}

std::string zsh_completion(const std::vector<Words>& all) {
    return "#compdef holdfast\n_holdfast() {\n"
           "    local given=(\"${(@)words[2,CURRENT-1]}\")\n    local words=''\n    local known='" +
           known_of(all) + "'\n" + path_of_line + "    case $path in\n" + cases_of(all) +
           "    esac\n    compadd -- ${=words}\n}\ncompdef _holdfast holdfast\n";
}

std::string fish_completion(const std::vector<Words>& all) {
    std::string text = "complete -c holdfast -f\n";
    for (const auto& [path, next] : all) {
        std::string when = "__fish_use_subcommand";
        if (!path.empty()) {
            const std::string seen = "__fish_seen_subcommand_from ";
            when.clear();
            if (const std::size_t space = path.find(' '); space != std::string::npos)
                when.append(seen).append(path, 0, space).append("; and ");
            when.append(seen).append(path, path.rfind(' ') + 1);
        }
        text += "complete -c holdfast -n '" + when + "' -a '" + joined(next) + "'\n";
    }
    return text;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '-' || c == '\\') out += '\\';
        out += c;
    }
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

void describe(const CLI::App& app, const std::string& path, std::string& text) {
    for (const CLI::App* command : commands_of(app)) {
        const std::string name = path + ' ' + command->get_name();
        text +=
            ".SS " + escaped(name.substr(1)) + "\n" + escaped(command->get_description()) + "\n";
        for (const CLI::Option* option : command->get_options())
            text += ".TP\n.B " + escaped(option->get_name(true, true)) + "\n" +
                    escaped(option->get_description()) + "\n";
        describe(*command, name, text);
    }
}

// Letters to insert, delete or replace.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string completion_of(const CLI::App& program, Shell shell) {
    std::vector<Words> all;
    collect(program, "", all);
    switch (shell) {
        case Shell::bash: return bash_completion(all);
        case Shell::zsh: return zsh_completion(all);
        case Shell::fish: return fish_completion(all);
    }
    return {};
}

std::string manual_of(const CLI::App& program) {
    std::string text = ".TH HOLDFAST 1\n.SH NAME\nholdfast \\- " +
                       escaped(program.get_description()) +
                       "\n.SH SYNOPSIS\n.B holdfast\n.I COMMAND\n[\\fIFLAGS\\fR]\n.SH COMMANDS\n";
    describe(program, "", text);
    return text + ".SH EXIT STATUS\n0 ok, 1 failed, 2 usage, 3 conflict, 4 not found.\n";
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
    for (const CLI::App* command : commands_of(app))
        if (command->get_name() == name) return command;
    return nullptr;
}

std::string nearest(const std::vector<std::string>& names, const std::string& word) {
    std::string found;
    std::size_t least = 3;
    for (const std::string& name : names)
        if (const std::size_t letters = distance(word, name); letters < least) {
            least = letters;
            found = name;
        }
    return found;
}

std::string nearest_command(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
    return nearest(names, word);
}

}  // namespace holdfast::app
