#include "feel/syntax/names.h"

namespace holdfast::feel {
namespace {

constexpr std::size_t longest_name = 64;  // tokens

}  // namespace

void NameTable::add(std::string_view name) {
    const auto tokens = tokenize(name, longest_name);
    if (!tokens || tokens->list.front().kind != Token::Kind::word) return;
    std::size_t at = 0;
    for (const Token& token : tokens->list) {
        if (token.kind == Token::Kind::end) break;
        const auto [next, fresh] =
            steps_[at].next.try_emplace(std::string(tokens->view(token)), steps_.size());
        at = next->second;
        if (fresh) steps_.emplace_back();
    }
    if (steps_[at].name.empty()) steps_[at].name = name;
}

NameTable::Match NameTable::longest_at(const Tokens& tokens, std::size_t index) const {
    Match longest;
    std::size_t at = 0;
    for (std::size_t i = index; i < tokens.list.size(); ++i) {
        const Token& token = tokens.list[i];
        if (token.kind == Token::Kind::string || token.kind == Token::Kind::end) break;
        const auto next = steps_[at].next.find(tokens.view(token));
        if (next == steps_[at].next.end()) break;
        at = next->second;
        if (!steps_[at].name.empty()) longest = {i + 1 - index, steps_[at].name};
    }
    return longest;
}

std::string joined(const Tokens& tokens, std::size_t begin, std::size_t end) {
    std::string name;
    for (std::size_t i = begin; i < end; ++i) {
        const Token& token = tokens.list[i];
        if (i > begin) {
            const Token& before = tokens.list[i - 1];
            if (before.offset + before.size < token.offset) name += ' ';
        }
        name += tokens.view(token);
    }
    return name;
}

}  // namespace holdfast::feel
