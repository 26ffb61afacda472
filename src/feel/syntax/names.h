// Names with spaces and operators: finds the longest one that begins at a token.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "feel/syntax/lexer.h"

namespace holdfast::feel {

class NameTable {
public:
    struct Match {
        std::size_t tokens = 0;  // 0: no known name begins here
        std::string_view name;   // as it was added
    };

    // Ignores a name that cannot be tokenized: no expression can mention it.
    void add(std::string_view name);
    // The longest known name that begins at `index`.
    Match longest_at(const Tokens& tokens, std::size_t index) const;

private:
    // A node of a trie over tokens.
    struct Step {
        std::map<std::string, std::size_t, std::less<>> next;  // indices into `steps_`
        std::string name;                                      // empty: no name ends here
    };

    std::vector<Step> steps_{1};
};

// The tokens as a name, with white space between them as one space.
std::string joined(const Tokens& tokens, std::size_t begin, std::size_t end);

}  // namespace holdfast::feel
