#include "feel/syntax/lexer.h"

#include <algorithm>
#include <array>

#include "feel/values/utf8.h"

namespace holdfast::feel {
namespace {

bool is_space(std::uint32_t code) {
    return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0 ||
           code == 0x1680 || code == 0x180E || (code >= 0x2000 && code <= 0x200B) ||
           code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000 ||
           code == 0xFEFF;
}

bool begins_word(std::uint32_t code) {
    return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || code == '_' ||
           (code >= 0x80 && !is_space(code));
}

bool continues_word(std::uint32_t code) {
    return begins_word(code) || (code >= '0' && code <= '9');
}

// Longest first.
constexpr std::array<std::string_view, 25> signs = {
    "**", "..", "<=", ">=", "!=", "->", "+", "-", "*", "/", "(", ")", "[",
    "]",  "{",  "}",  ",",  ":",  ".",  "<", ">", "=", "@", "?", "'"};

class Lexer {
public:
    Lexer(std::string_view text, std::size_t most_tokens)
        : text_(text), most_tokens_(most_tokens) {}

    Result<Tokens> run() {
        if (const auto bad = find_invalid_utf8(text_); bad != std::string_view::npos)
            return located(text_, bad, "invalid UTF-8");
        tokens_.text = text_;
        while (true) {
            HF_CHECK(skip_space());
            if (at_ == text_.size()) break;
            if (tokens_.list.size() >= most_tokens_)
                return located(text_, at_,
                               "the expression is too long: more than " +
                                   std::to_string(most_tokens_) + " tokens");
            HF_TRY(const Token token, next());
            tokens_.list.push_back(token);
            at_ = token.offset + token.size;
        }
        tokens_.list.push_back(token_to(Token::Kind::end, at_));
        return std::move(tokens_);
    }

private:
    Token token_to(Token::Kind kind, std::size_t end) const {
        return {kind, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end - at_)};
    }

    Result<void> skip_space() {
        while (at_ < text_.size()) {
            const std::string_view rest = text_.substr(at_);
            if (rest.starts_with("//")) {
                at_ = std::min(text_.size(), text_.find('\n', at_));
            } else if (rest.starts_with("/*")) {
                const std::size_t end = text_.find("*/", at_ + 2);
                if (end == std::string_view::npos)
                    return located(text_, at_, "unterminated comment: */ is missing");
                at_ = end + 2;
            } else {
                const CodePoint point = code_point_at(text_, at_);
                if (!is_space(point.code)) break;
                at_ += point.size;
            }
        }
        return {};
    }

    Result<Token> next() {
        const char first = text_[at_];
        const bool point = first == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
        if (is_digit(first) || point) return number();
        if (first == '"') return string();
        if (begins_word(code_point_at(text_, at_).code)) return word();
        const std::string_view rest = text_.substr(at_);
        for (const std::string_view sign : signs)
            if (rest.starts_with(sign)) return token_to(Token::Kind::sign, at_ + sign.size());
        return located(text_, at_, "unexpected '" + std::string(rest.substr(0, 1)) + "'");
    }

    Token number() const {
        std::size_t end = skip_digits(at_);
        if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1]))
            end = skip_digits(end + 1);
        if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
            std::size_t exponent = end + 1;
            if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-'))
                ++exponent;
            if (exponent < text_.size() && is_digit(text_[exponent])) end = skip_digits(exponent);
        }
        return token_to(Token::Kind::number, end);
    }

    std::size_t skip_digits(std::size_t at) const {
        while (at < text_.size() && is_digit(text_[at])) ++at;
        return at;
    }

    Result<Token> string() const {
        for (std::size_t end = at_ + 1; end < text_.size(); ++end) {
            if (text_[end] == '\\') {
                ++end;
            } else if (text_[end] == '"') {
                return token_to(Token::Kind::string, end + 1);
            }
        }
        return located(text_, at_, "unterminated string: the closing quote is missing");
    }

    Token word() const {
        std::size_t end = at_;
        while (end < text_.size()) {
            const CodePoint point = code_point_at(text_, end);
            if (!continues_word(point.code)) break;
            end += point.size;
        }
        return token_to(Token::Kind::word, end);
    }

    std::string_view text_;
    std::size_t most_tokens_;
    std::size_t at_ = 0;
    Tokens tokens_;
};

// Reads `digits` hexadecimal digits from the front; -1: there are fewer.
std::int64_t hexadecimal(std::string_view text, std::size_t digits) {
    if (text.size() < digits) return -1;
    std::int64_t code = 0;
    for (const char c : text.substr(0, digits)) {
        const auto value = std::string_view("0123456789abcdef").find(static_cast<char>(c | 0x20));
        if (value == std::string_view::npos) return -1;
        code = code * 16 + static_cast<std::int64_t>(value);
    }
    return code;
}

// A \u or \U escape; size 0: not an escape.
CodePoint unicode_escape(std::string_view rest) {
    const bool wide = rest.starts_with("\\U");
    if (!wide && !rest.starts_with("\\u")) return {};
    const std::size_t digits = wide ? 6 : 4;
    std::int64_t code = hexadecimal(rest.substr(2), digits);
    std::size_t size = 2 + digits;
    if (!wide && code >= 0xD800 && code <= 0xDBFF && rest.substr(size).starts_with("\\u")) {
        const std::int64_t low = hexadecimal(rest.substr(size + 2), 4);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            size += 6;
        }
    }
    if (code < 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
    return {static_cast<std::uint32_t>(code), size};
}

}  // namespace

std::unexpected<Error> located(std::string_view text, std::size_t offset, std::string message) {
    const std::string_view before = text.substr(0, offset);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t start = before.rfind('\n');
    const std::string_view in_line =
        start == std::string_view::npos ? before : before.substr(start + 1);
    const std::size_t column = code_points(in_line) + 1;
    message += " (line " + std::to_string(line) + ", column " + std::to_string(column) + ")";
    return fail(ErrorCode::invalid_argument, std::move(message),
                {{"offset", offset}, {"line", line}, {"column", column}});
}

Result<Tokens> tokenize(std::string_view text, std::size_t most_tokens) {
    return Lexer(text, most_tokens).run();
}

std::string unescaped(std::string_view literal) {
    literal = literal.substr(1, literal.size() - 2);
    std::string text;
    for (std::size_t at = 0; at < literal.size();) {
        const std::size_t plain = std::min(literal.find('\\', at), literal.size());
        text += literal.substr(at, plain - at);
        at = plain;
        if (at + 1 >= literal.size()) break;
        const std::size_t known = std::string_view("nrt\"\\'").find(literal[at + 1]);
        if (known != std::string_view::npos) {
            text += "\n\r\t\"\\'"[known];
            at += 2;
        } else if (const CodePoint point = unicode_escape(literal.substr(at)); point.size > 0) {
            append_utf8(text, point.code);
            at += point.size;
        } else {
            text += '\\';
            ++at;
        }
    }
    return text;
}

}  // namespace holdfast::feel
