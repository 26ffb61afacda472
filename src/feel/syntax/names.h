// Names with spaces and signs: which of them begin at a token, the longest first.
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

    // A name that cannot be read as words and signs is left out: no text can mention it.
    void add(std::string_view name);
    // The longest known name that begins at `index`.
    Match longest_at(const Tokens& tokens, std::size_t index) const;

private:
    // One word or sign further into the names that begin alike.
    struct Step {
        std::map<std::string, std::size_t, std::less<>> next;  // places in `steps_`
        std::string name;                                      // empty: no name ends here
    };

    std::vector<Step> steps_{1};
};

// A name that is in no table: the text of the tokens, white space between them as one space.
std::string joined(const Tokens& tokens, std::size_t begin, std::size_t end);

}  // namespace holdfast::feel
