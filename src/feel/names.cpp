#include "feel/names.h"

#include <algorithm>

namespace holdfast::feel {
namespace {

constexpr std::size_t longest_name = 64;  // tokens

}  // namespace

void NameTable::add(std::string_view name) {
    const auto tokens = tokenize(name, longest_name);
    if (!tokens || tokens->list.front().kind != Token::Kind::word) return;
    Known fresh{std::string(name), {}};
    for (const Token& token : tokens->list)
        if (token.kind != Token::Kind::end) fresh.words.emplace_back(tokens->view(token));
    auto& known = by_first_word_[fresh.words.front()];
    if (std::ranges::find(known, fresh.words, &Known::words) != known.end()) return;
    const auto shorter = [&](const Known& other) {
        return other.words.size() < fresh.words.size();
    };
    known.insert(std::ranges::find_if(known, shorter), std::move(fresh));
}

NameTable::Match NameTable::longest_at(const Tokens& tokens, std::size_t index) const {
    const auto found = by_first_word_.find(tokens.view(tokens.list[index]));
    if (found == by_first_word_.end()) return {};
    const auto is_here = [&](const Known& known) {
        if (index + known.words.size() >= tokens.list.size()) return false;
        for (std::size_t i = 0; i < known.words.size(); ++i)
            if (!tokens.is(index + i, known.words[i])) return false;
        return true;
    };
    const auto longest = std::ranges::find_if(found->second, is_here);
    if (longest == found->second.end()) return {};
    return {longest->words.size(), longest->name};
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
