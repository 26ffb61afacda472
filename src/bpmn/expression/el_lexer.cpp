#include "bpmn/expression/el_lexer.h"

#include <array>
#include <utility>

namespace holdfast::bpmn {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> el_words{{{"and", "&&"},
                                                                                  {"or", "||"},
                                                                                  {"not", "!"},
                                                                                  {"eq", "=="},
                                                                                  {"ne", "!="},
                                                                                  {"lt", "<"},
                                                                                  {"gt", ">"},
                                                                                  {"le", "<="},
                                                                                  {"ge", ">="},
                                                                                  {"div", "/"},
                                                                                  {"mod", "%"}}};

bool is_el_digit(char c) { return c >= '0' && c <= '9'; }
bool is_el_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

ElToken ElLexer::next() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
        ++at_;
    if (at_ >= text_.size()) return {ElToken::Kind::end, "", at_};
    const char c = text_[at_];
    if (c == '"' || c == '\'') return quoted();
    const bool fraction = c == '.' && at_ + 1 < text_.size() && is_el_digit(text_[at_ + 1]);
    if (is_el_digit(c) || fraction) return number();
    if (is_el_letter(c)) return word();
    return sign();
}

ElToken ElLexer::quoted() {
    ElToken token{ElToken::Kind::text, "", at_};
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote) {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        token.text += text_[at_++];
    }
    if (at_ >= text_.size())
        return {ElToken::Kind::bad, "a string that does not end", token.offset};
    ++at_;
    return token;
}

ElToken ElLexer::number() {
    ElToken token{ElToken::Kind::number, "", at_};
    while (at_ < text_.size() && is_el_digit(text_[at_])) token.text += text_[at_++];
    if (at_ + 1 < text_.size() && text_[at_] == '.' && is_el_digit(text_[at_ + 1])) {
        token.text += text_[at_++];
        while (at_ < text_.size() && is_el_digit(text_[at_])) token.text += text_[at_++];
    }
    if (token.text.starts_with('.')) token.text.insert(0, "0");
    if (at_ < text_.size() && is_el_letter(text_[at_]))
        return {ElToken::Kind::bad, "a number followed by a letter", token.offset};
    return token;
}

ElToken ElLexer::word() {
    ElToken token{ElToken::Kind::name, "", at_};
    while (at_ < text_.size() && (is_el_letter(text_[at_]) || is_el_digit(text_[at_])))
        token.text += text_[at_++];
    for (const auto& [name, sign] : el_words)
        if (token.text == name) return {ElToken::Kind::sign, std::string(sign), token.offset};
    return token;
}

ElToken ElLexer::sign() {
    const std::string_view two = text_.substr(at_, 2);
    const std::size_t begin = at_;
    if (two == "==" || two == "!=" || two == "<=" || two == ">=" || two == "&&" || two == "||") {
        at_ += 2;
        return {ElToken::Kind::sign, std::string(two), begin};
    }
    const char c = text_[at_++];
    if (std::string_view("<>+-*/%!?:()[].,").find(c) != std::string_view::npos)
        return {ElToken::Kind::sign, std::string(1, c), begin};
    return {ElToken::Kind::bad, "the character '" + std::string(1, c) + "'", begin};
}

}  // namespace holdfast::bpmn
