// Names with spaces and signs: which of them begin at a token, the longest first.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "feel/lexer.h"

namespace holdfast::feel {

class NameTable {
public:
    // A name that cannot be read as words and signs is left out: no text can mention it.
    void add(std::string_view name);
    // How many tokens from `index` on are the longest known name; 0: none.
    std::size_t longest_at(const Tokens& tokens, std::size_t index) const;

private:
    using Words = std::vector<std::string>;

    std::map<std::string, std::vector<Words>, std::less<>> by_first_word_;  // longest first
};

// A name as it is looked up: the text of the tokens, white space between them as one space.
std::string joined(const Tokens& tokens, std::size_t begin, std::size_t end);

}  // namespace holdfast::feel
