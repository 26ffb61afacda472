#include "bpmn/expression/compile_text.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "bpmn/expression/el.h"
#include "bpmn/xml/element.h"

namespace holdfast::bpmn {
namespace {

// A part of a text, fixed or the inside of `${...}`.
struct Piece {
    std::string_view text;
    bool computed;
};

// The end of `${...}`: strings inside may contain braces.
std::optional<std::size_t> closing_brace(std::string_view text, std::size_t from) {
    char quote = 0;
    for (std::size_t at = from; at < text.size(); ++at) {
        const char c = text[at];
        if (quote != 0) {
            if (c == '\\') ++at;
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '}') {
            return at;
        }
    }
    return std::nullopt;
}

std::unexpected<Error> bad_expression(std::string_view text, const std::string& why) {
    return fail(ErrorCode::invalid_argument, "'" + std::string(text.substr(0, 120)) + "': " + why);
}

Result<std::vector<Piece>> pieces_of(std::string_view text) {
    std::vector<Piece> pieces;
    std::size_t begin = 0;
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
        if ((text[at] != '$' && text[at] != '#') || text[at + 1] != '{') continue;
        const auto end = closing_brace(text, at + 2);
        if (!end) return bad_expression(text, "a '}' is missing");
        if (at > begin) pieces.push_back({text.substr(begin, at - begin), false});
        pieces.push_back({text.substr(at + 2, *end - at - 2), true});
        begin = *end + 1;
        at = *end;
    }
    if (begin < text.size()) pieces.push_back({text.substr(begin), false});
    return pieces;
}

Result<feel::Expression> compile_feel(std::string_view text, std::string_view shown) {
    auto parsed = feel::parse(text, {.names = {}, .types = {}, .most_bytes = 20'000});
    if (!parsed) return bad_expression(shown, parsed.error().message);
    return parsed;
}

Result<feel::Expression> compile_el(std::string_view text, std::string_view shown) {
    const auto translated = feel_from_el(text);
    if (!translated)
        return bad_expression(
            shown, "this expression cannot be translated to FEEL: " + translated.error().message);
    return compile_feel(*translated, shown);
}

// One `${...}` is its value, several parts are a string.
Result<feel::Expression> compile_pieces(std::span<const Piece> pieces, std::string_view shown) {
    if (pieces.size() == 1) return compile_el(pieces[0].text, shown);
    std::string whole;
    for (const Piece& piece : pieces) {
        if (!whole.empty()) whole += " + ";
        if (!piece.computed) {
            whole += feel_string(piece.text);
            continue;
        }
        const auto translated = feel_from_el(piece.text);
        if (!translated) return compile_el(piece.text, shown);
        whole += "string(" + *translated + ")";
    }
    return compile_feel(whole, shown);
}

bool any_computed(const std::vector<Piece>& pieces) {
    return std::ranges::any_of(pieces, [](const Piece& piece) { return piece.computed; });
}

}  // namespace

Language language_of(std::string_view uri) {
    std::string lower(trimmed(uri));
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (lower.empty()) return Language::unnamed;
    if (lower == "feel" || lower.find("/feel") != std::string::npos) return Language::feel;
    if (lower == "juel" || lower.find("java.sun.com/products/jsp") != std::string::npos ||
        lower.find("juel") != std::string::npos)
        return Language::el;
    return Language::other;
}

Result<feel::Expression> compile_expression(std::string_view given, Language language) {
    const std::string_view text = trimmed(given);
    if (text.starts_with('=') && !text.starts_with("==")) return compile_feel(text.substr(1), text);
    HF_TRY(const auto pieces, pieces_of(text));
    if (any_computed(pieces)) return compile_pieces(pieces, text);
    if (language == Language::other)
        return bad_expression(text, "its language is not known; write FEEL: = followed by it");
    if (language == Language::feel) return compile_feel(text, text);
    const auto translated = feel_from_el(text);
    if (translated || language == Language::el) return compile_el(text, text);
    return compile_feel(text, text);
}

Result<TextOrExpression> compile_text(std::string_view given) {
    const std::string_view text = trimmed(given);
    if (text.starts_with('=')) return compile_feel(text.substr(1), text);
    HF_TRY(const auto pieces, pieces_of(text));
    if (any_computed(pieces)) return compile_pieces(pieces, text);
    return std::string(text);
}

}  // namespace holdfast::bpmn
