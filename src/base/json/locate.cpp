#include "base/json/locate.h"

#include <set>
#include <vector>

#include "base/json/parse.h"
#include "base/json/patch.h"

namespace holdfast::json {

namespace {

// Walks well-formed JSON token by token and tracks the current path.
class Walk {
public:
    explicit Walk(std::string_view text) : text_(text) {}

    std::size_t offset() const { return offset_; }
    bool done() const { return offset_ >= text_.size(); }

    // Advances by one token. True: the token was a duplicate key.
    bool step() {
        const char c = text_[offset_];
        if (c == '"') return step_string();
        if (c == '{' || c == '[') open_.push_back({.is_object = c == '{', .awaits_key = c == '{'});
        if (c == '}' || c == ']') open_.pop_back();
        if (c == ',') next_member();
        ++offset_;
        return false;
    }

    std::string pointer() const {
        std::vector<std::string> tokens;
        for (const Container& container : open_)
            tokens.push_back(container.is_object ? container.key : std::to_string(container.index));
        return to_pointer(tokens);
    }

private:
    struct Container {
        bool is_object;
        bool awaits_key;
        std::size_t index = 0;
        std::string key = {};
        std::set<std::string> seen = {};
    };

    void next_member() {
        open_.back().awaits_key = open_.back().is_object;
        ++open_.back().index;
    }

    bool step_string() {
        const std::size_t begin = offset_;
        for (++offset_; offset_ < text_.size() && text_[offset_] != '"'; ++offset_)
            if (text_[offset_] == '\\') ++offset_;
        ++offset_;
        if (open_.empty() || !open_.back().awaits_key) return false;

        Container& object = open_.back();
        object.awaits_key = false;
        object.key = decoded(text_.substr(begin, offset_ - begin));
        return !object.seen.insert(object.key).second;
    }

    static std::string decoded(std::string_view literal) {
        if (literal.find('\\') == literal.npos)
            return std::string(literal.substr(1, literal.size() - 2));
        const auto string = parse(literal);
        return string ? std::string(string->as_string()) : std::string(literal);
    }

    std::string_view text_;
    std::size_t offset_ = 0;
    std::vector<Container> open_;
};

}  // namespace

std::string pointer_at(std::string_view text, std::size_t offset) {
    Walk walk(text.substr(0, offset));
    while (!walk.done()) walk.step();
    return walk.pointer();
}

std::optional<DuplicateKey> find_duplicate_key(std::string_view text) {
    Walk walk(text);
    while (!walk.done()) {
        const std::size_t offset = walk.offset();
        if (walk.step()) return DuplicateKey{offset, walk.pointer()};
    }
    return std::nullopt;
}

}  // namespace holdfast::json
