// Splits an expression into tokens. Names of several words stay separate words: only the parser
// knows which names are in scope.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast::feel {

struct Token {
    enum class Kind : std::uint8_t { end, number, string, word, sign };

    Kind kind = Kind::end;
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
};

struct Tokens {
    std::string_view text;
    std::vector<Token> list;  // ends with Kind::end

    std::string_view view(const Token& token) const {
        return text.substr(token.offset, token.size);
    }
    bool is(std::size_t index, std::string_view sign) const {
        const Token& token = list[index];
        return token.kind != Token::Kind::string && view(token) == sign;
    }
};

// invalid_argument with `offset`, `line` and `column` in the context.
std::unexpected<Error> located(std::string_view text, std::size_t offset, std::string message);

// Rejects invalid UTF-8, unterminated strings and comments, unknown characters, and more than
// `most_tokens`.
Result<Tokens> tokenize(std::string_view text, std::size_t most_tokens);

// The value of a string literal. Unknown escapes are kept as they are, for patterns.
std::string unescaped(std::string_view literal);

}  // namespace holdfast::feel
