#include "feel/builtins/pattern.h"

#include <re2/re2.h>

namespace holdfast::feel {
namespace {

constexpr std::int64_t most_memory = 1 << 20;
constexpr std::size_t longest_pattern = 10'000;
constexpr int most_groups = 100;
constexpr std::size_t most_kept = 8;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

// Calls `visit` with the groups of each match, from left to right. An empty match moves on by one
// byte.
template <class Visit>
bool for_each_match(const re2::RE2& program, std::string_view text, int groups,
                    const Visit& visit) {
    std::vector<re2::StringPiece> found(static_cast<std::size_t>(groups) + 1);
    std::size_t at = 0;
    while (at <= text.size() && program.Match(piece(text), at, text.size(), re2::RE2::UNANCHORED,
                                              found.data(), static_cast<int>(found.size()))) {
        const auto begin = static_cast<std::size_t>(found[0].data() - text.data());
        if (!visit(found, begin)) return false;
        at = begin + std::max<std::size_t>(found[0].size(), 1);
    }
    return true;
}

// $12 is group 12 if the pattern has that many groups, otherwise group 1 followed by a 2.
bool append_replacement(std::string& text, std::string_view replacement,
                        const std::vector<re2::StringPiece>& groups) {
    for (std::size_t i = 0; i < replacement.size(); ++i) {
        const char c = replacement[i];
        const char next = i + 1 < replacement.size() ? replacement[i + 1] : '\0';
        if (c == '\\') {
            if (next != '\\' && next != '$') return false;
            text += next;
            ++i;
        } else if (c == '$') {
            if (next < '0' || next > '9') return false;
            auto group = static_cast<std::size_t>(next - '0');
            ++i;
            while (i + 1 < replacement.size() && replacement[i + 1] >= '0' &&
                   replacement[i + 1] <= '9') {
                const std::size_t longer =
                    group * 10 + static_cast<std::size_t>(replacement[i + 1] - '0');
                if (longer >= groups.size()) break;
                group = longer;
                ++i;
            }
            if (group < groups.size()) text.append(groups[group].data(), groups[group].size());
        } else {
            text += c;
        }
    }
    return true;
}

}  // namespace

Result<Pattern> Pattern::compile(std::string_view pattern, std::string_view flags) {
    if (pattern.size() > longest_pattern)
        return fail(ErrorCode::invalid_argument, "the pattern is too long");
    HF_TRY(const std::string translated, to_re2(pattern, flags));
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(most_memory);
    auto program = std::make_shared<const re2::RE2>(translated, options);
    if (!program->ok() || program->NumberOfCapturingGroups() > most_groups)
        return fail(ErrorCode::invalid_argument, "invalid pattern: " + program->error());
    return Pattern(std::move(program));
}

bool Pattern::occurs_in(std::string_view text) const {
    return re2::RE2::PartialMatch(piece(text), *program_);
}

std::optional<std::string> Pattern::replaced(std::string_view text, std::string_view replacement,
                                             std::size_t most) const {
    std::string result;
    std::size_t end = 0;
    const bool whole = for_each_match(
        *program_, text, program_->NumberOfCapturingGroups(),
        [&](const std::vector<re2::StringPiece>& groups, std::size_t begin) {
            result += text.substr(end, begin - end);
            end = begin + groups[0].size();
            return append_replacement(result, replacement, groups) && result.size() <= most;
        });
    if (!whole) return std::nullopt;
    result += text.substr(end);
    return result;
}

std::optional<std::vector<std::string_view>> Pattern::split(std::string_view text,
                                                            std::size_t most) const {
    std::vector<std::string_view> parts;
    std::size_t end = 0;
    const bool whole =
        for_each_match(*program_, text, 0, [&](const auto& groups, std::size_t begin) {
            parts.push_back(text.substr(end, begin - end));
            end = begin + groups[0].size();
            return parts.size() < most;
        });
    if (!whole) return std::nullopt;
    parts.push_back(text.substr(end));
    return parts;
}

const Pattern* PatternCache::find(std::string_view pattern, std::string_view flags) const {
    for (const Known& known : known_)
        if (known.pattern == pattern && known.flags == flags) return &known.compiled;
    return nullptr;
}

const Pattern& PatternCache::add(std::string_view pattern, std::string_view flags,
                                 Pattern compiled) {
    if (known_.size() == most_kept) known_.erase(known_.begin());
    known_.push_back({std::string(pattern), std::string(flags), std::move(compiled)});
    return known_.back().compiled;
}

std::size_t Pattern::size() const { return static_cast<std::size_t>(program_->ProgramSize()); }

}  // namespace holdfast::feel
