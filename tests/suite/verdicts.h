// Plays the cases of a folder and compares the failures with the known ones.
#pragma once

#include <boost/json.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

namespace holdfast::suite {

inline std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// `id reason` lines; # begins a comment.
inline std::map<std::string, std::string> known_failures(const std::string& file) {
    std::map<std::string, std::string> known;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t tab = line.find('\t');
        known[line.substr(0, tab)] = tab == line.npos ? "" : line.substr(tab + 1);
    }
    return known;
}

class Verdicts {
public:
    explicit Verdicts(const std::string& known_file) : known_(known_failures(known_file)) {}

    // An empty `why`: passed.
    void add(const std::string& id, const std::string& why) {
        ++(why.empty() ? passed_ : failed_);
        const auto reason = known_.find(id);
        const bool is_known = reason != known_.end();
        if (!why.empty())
            std::cout << (is_known ? "known  " : "FAILED ") << id << ": "
                      << (is_known ? reason->second : why) << '\n';
        if (why.empty() && is_known)
            std::cout << "passes now, remove it from the known failures: " << id << '\n';
        unexpected_ = unexpected_ || (!why.empty() && !is_known);
    }
    // The exit code.
    int end(const char* what = "") const {
        std::printf("%s%d passed, %d failed\n", what, passed_, failed_);
        return unexpected_ ? 1 : 0;
    }

private:
    std::map<std::string, std::string> known_;
    int passed_ = 0;
    int failed_ = 0;
    bool unexpected_ = false;
};

// What happens after every command.
enum class Restart {
    none,
    reload,  // the store is closed and opened
    kill,    // the next one finds the store as a process leaves it that is killed
};

// How the cases are played.
struct Manner {
    Restart restart = Restart::none;
    bool twice = false;  // every command is sent twice, as by a client that lost the answer
};

// DIR KNOWN_FAILURES [--reload | --kill] [--twice]
struct Arguments {
    std::string folder;
    std::string known_failures;
    Manner manner;
    bool valid = false;
};

inline Arguments read_arguments(int argc, char** argv) {
    Arguments read;
    std::vector<std::string> names;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--reload")
            read.manner.restart = Restart::reload;
        else if (argument == "--kill")
            read.manner.restart = Restart::kill;
        else if (argument == "--twice")
            read.manner.twice = true;
        else
            names.push_back(argument);
    }
    read.valid = names.size() == 2;
    if (!read.valid) return read;
    read.folder = names[0];
    read.known_failures = names[1];
    return read;
}

}  // namespace holdfast::suite
