#include "model/schema/check.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <unordered_set>
#include <variant>

#include "base/json/canonical.h"
#include "base/json/patch.h"
#include "model/schema/numbers.h"

namespace holdfast::schema {
namespace {

constexpr std::size_t bytes_per_step = 32;
constexpr std::uint64_t units_per_step = 8;
constexpr std::uint64_t instructions_per_unit = 4;  // of a pattern's program, for each byte

std::uint8_t kind_of(const bj::value& value) {
    switch (value.kind()) {
        case bj::kind::null: return kind::null;
        case bj::kind::bool_: return kind::boolean;
        case bj::kind::int64:
        case bj::kind::uint64: return kind::integer;
        case bj::kind::double_:  // 1e300 is an integer too
            return std::trunc(value.get_double()) == value.get_double() ? kind::integer
                                                                        : kind::fraction;
        case bj::kind::string: return kind::string;
        case bj::kind::array: return kind::array;
        case bj::kind::object: return kind::object;
    }
    return 0;
}

std::string names_of(std::uint8_t kinds) {
    std::string names;
    const auto add = [&](std::uint8_t wanted, std::string_view name) {
        if ((kinds & wanted) != wanted) return;
        names += (names.empty() ? "" : " or ") + std::string(name);
        kinds &= static_cast<std::uint8_t>(~wanted);
    };
    add(kind::integer | kind::fraction, "number");
    add(kind::integer, "integer");
    add(kind::fraction, "number with a fraction");
    add(kind::string, "string");
    add(kind::boolean, "boolean");
    add(kind::object, "object");
    add(kind::array, "array");
    add(kind::null, "null");
    return names;
}

std::uint64_t code_points(std::string_view text) {
    return static_cast<std::uint64_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

class Checker {
public:
    Checker(std::size_t most, Effort& effort) : most_(most), effort_(effort) {}

    bool satisfies(const Rule& rule, const bj::value& value);
    // The violations; call once, at the end.
    std::vector<SchemaViolation> take();

private:
    using Step = std::variant<std::string_view, std::size_t>;
    enum class Mode { report, silent };

    bool has_value(const Rule& rule, const bj::value& value);
    bool satisfies_kind(const Rule& rule, const bj::value& value);
    bool satisfies_number(const NumberRule& rule, const bj::value& value);
    bool satisfies_string(const StringRule& rule, std::string_view text);
    bool satisfies_array(const ArrayRule& rule, const bj::array& array);
    bool satisfies_object(const ObjectRule& rule, const bj::value& value);
    bool satisfies_member(const ObjectRule& rule, std::string_view name, const bj::value& value);
    bool has_companions(const ObjectRule& rule, const bj::object& object);
    bool satisfies_combined(const CombinedRule& rule, const bj::value& value);
    bool repeats(const bj::array& array);
    bool contains_one(const Rule& rule, const bj::array& array);

    bool satisfies_below(const Rule& rule, const bj::value& value, Step step);
    bool silently(const Rule& rule, const bj::value& value);
    std::size_t count_silently(const std::vector<const Rule*>& rules, const bj::value& value,
                               std::size_t enough);

    bool refuse(std::string message);
    bool spend(std::size_t steps) { return effort_.spend(steps * units_per_step); }
    bool spend_on(std::string_view text) { return spend(1 + text.size() / bytes_per_step); }
    // False if it does not match, or the effort is exhausted.
    bool matches(const re2::RE2& pattern, std::string_view text);
    // Whether the result is final, so that the remaining checks can be skipped.
    bool is_decided(bool good) const {
        return !good &&
               (mode_ == Mode::silent || effort_.is_exhausted() || violations_.size() >= most_);
    }

    const std::size_t most_;
    Effort& effort_;
    Mode mode_ = Mode::report;
    std::vector<Step> path_;
    std::vector<SchemaViolation> violations_;
};

bool Checker::matches(const re2::RE2& pattern, std::string_view text) {
    const auto size = static_cast<std::uint64_t>(std::max(pattern.ProgramSize(), 1));
    if (!effort_.spend(units_per_step + text.size() * size / instructions_per_unit)) return false;
    return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

bool Checker::refuse(std::string message) {
    if (mode_ == Mode::silent || violations_.size() >= most_) return false;
    std::vector<std::string> tokens;
    for (const Step& step : path_) {
        if (const auto* index = std::get_if<std::size_t>(&step))
            tokens.push_back(std::to_string(*index));
        else
            tokens.emplace_back(std::get<std::string_view>(step));
    }
    violations_.push_back({json::to_pointer(tokens), std::move(message)});
    return false;
}

std::vector<SchemaViolation> Checker::take() {
    if (effort_.is_exhausted())
        return {{"",
                 "the state takes too long to check against its schema; make it smaller, or "
                 "the patterns of the schema"}};
    return std::move(violations_);
}

bool Checker::satisfies_below(const Rule& rule, const bj::value& value, Step step) {
    path_.push_back(step);
    const bool good = satisfies(rule, value);
    path_.pop_back();
    return good;
}

bool Checker::silently(const Rule& rule, const bj::value& value) {
    const Mode before = std::exchange(mode_, Mode::silent);
    const bool good = satisfies(rule, value);
    mode_ = before;
    return good;
}

std::size_t Checker::count_silently(const std::vector<const Rule*>& rules, const bj::value& value,
                                    std::size_t enough) {
    std::size_t count = 0;
    for (const Rule* rule : rules)
        if (silently(*rule, value) && ++count == enough) break;
    return count;
}

bool Checker::satisfies(const Rule& rule, const bj::value& value) {
    if (!spend(1)) return false;
    if (rule.reference) return satisfies(*rule.reference, value);
    if (rule.kinds == 0) return refuse("no value is allowed here");
    if (!(rule.kinds & kind_of(value)))
        return refuse("must be " + names_of(rule.kinds) + ", not " + names_of(kind_of(value)));
    if (!has_value(rule, value)) return false;
    bool good = satisfies_kind(rule, value);
    if (is_decided(good)) return false;
    if (rule.combined) good = satisfies_combined(*rule.combined, value) && good;
    return good;
}

bool Checker::has_value(const Rule& rule, const bj::value& value) {
    if (!rule.values && !rule.constant) return true;
    const std::string text = json::canonical(value);
    if (!spend_on(text)) return false;
    if (rule.values && !rule.values->contains(text))
        return refuse("must be one of the values of 'enum'");
    if (rule.constant && *rule.constant != text) return refuse("must be " + *rule.constant);
    return true;
}

bool Checker::satisfies_kind(const Rule& rule, const bj::value& value) {
    if (rule.number && value.is_number()) return satisfies_number(*rule.number, value);
    if (rule.string && value.is_string()) return satisfies_string(*rule.string, value.get_string());
    if (rule.array && value.is_array()) return satisfies_array(*rule.array, value.get_array());
    if (rule.object && value.is_object()) return satisfies_object(*rule.object, value);
    return true;
}

bool Checker::satisfies_number(const NumberRule& rule, const bj::value& value) {
    if (rule.minimum && is_less(value, *rule.minimum))
        return refuse("must be at least " + json::canonical(*rule.minimum));
    if (rule.maximum && is_less(*rule.maximum, value))
        return refuse("must be at most " + json::canonical(*rule.maximum));
    if (rule.above && !is_less(*rule.above, value))
        return refuse("must be greater than " + json::canonical(*rule.above));
    if (rule.below && !is_less(value, *rule.below))
        return refuse("must be less than " + json::canonical(*rule.below));
    if (rule.multiple_of && !(spend(8) && is_multiple(value, *rule.multiple_of)))
        return refuse("must be a multiple of " + json::canonical(*rule.multiple_of));
    return true;
}

bool Checker::satisfies_string(const StringRule& rule, std::string_view text) {
    if (!spend_on(text)) return false;
    const std::uint64_t length = rule.shortest || rule.longest ? code_points(text) : 0;
    if (rule.shortest && length < *rule.shortest)
        return refuse("must have at least " + std::to_string(*rule.shortest) + " characters");
    if (rule.longest && length > *rule.longest)
        return refuse("must have at most " + std::to_string(*rule.longest) + " characters");
    if (rule.pattern && !matches(*rule.pattern, text))
        return refuse("must match the pattern " + quoted(rule.pattern->pattern()));
    return true;
}

bool Checker::repeats(const bj::array& array) {
    std::unordered_set<std::string> seen;
    for (const bj::value& element : array) {
        std::string text = json::canonical(element);
        if (!spend_on(text) || !seen.insert(std::move(text)).second) return true;
    }
    return false;
}

bool Checker::contains_one(const Rule& rule, const bj::array& array) {
    return std::ranges::any_of(array, [&](const bj::value& one) { return silently(rule, one); });
}

bool Checker::satisfies_array(const ArrayRule& rule, const bj::array& array) {
    bool good = true;
    if (rule.fewest && array.size() < *rule.fewest)
        good = refuse("must have at least " + std::to_string(*rule.fewest) + " elements");
    if (rule.most && array.size() > *rule.most)
        good = refuse("must have at most " + std::to_string(*rule.most) + " elements");
    if (is_decided(good)) return false;
    if (rule.repetition == Repetition::forbidden && repeats(array))
        good = refuse("must not have duplicate elements");
    if (rule.contains && !contains_one(*rule.contains, array))
        good = refuse("must have an element that matches the schema of 'contains'");
    for (std::size_t i = 0; i < array.size() && !is_decided(good); ++i) {
        const Rule* element = i < rule.leading.size() ? rule.leading[i] : rule.others;
        if (!element) break;
        good = satisfies_below(*element, array[i], i) && good;
    }
    return good;
}

bool Checker::satisfies_member(const ObjectRule& rule, std::string_view name,
                               const bj::value& value) {
    bool good = true;
    bool covered = false;
    if (rule.names && !silently(*rule.names, bj::value(name)))
        good = refuse("member " + quoted(name) + " has a name that the schema does not allow");
    if (const auto member = rule.members.find(name); member != rule.members.end()) {
        covered = true;
        good = satisfies_below(*member->second, value, name) && good;
    }
    for (const auto& [pattern, member] : rule.by_pattern) {
        if (is_decided(good) || !spend_on(name)) return false;
        if (!matches(*pattern, name)) continue;
        covered = true;
        good = satisfies_below(*member, value, name) && good;
    }
    if (covered || !rule.others) return good;
    if (rule.others->kinds == 0) return refuse("member " + quoted(name) + " is not allowed");
    return satisfies_below(*rule.others, value, name) && good;
}

bool Checker::has_companions(const ObjectRule& rule, const bj::object& object) {
    bool good = true;
    for (const auto& [name, companions] : rule.companions) {
        if (!spend(1 + companions.size())) return false;
        if (!object.contains(name)) continue;
        for (const std::string& companion : companions)
            if (!object.contains(companion))
                good = refuse("member " + quoted(companion) + " is required with member " +
                              quoted(name));
    }
    return good;
}

bool Checker::satisfies_object(const ObjectRule& rule, const bj::value& value) {
    const bj::object& object = value.get_object();
    bool good = true;
    if (rule.fewest && object.size() < *rule.fewest)
        good = refuse("must have at least " + std::to_string(*rule.fewest) + " members");
    if (rule.most && object.size() > *rule.most)
        good = refuse("must have at most " + std::to_string(*rule.most) + " members");
    if (is_decided(good) || !spend(rule.required.size())) return false;
    for (const std::string& name : rule.required)
        if (!object.contains(name)) good = refuse("member " + quoted(name) + " is required");
    good = has_companions(rule, object) && good;
    for (const auto& member : object) {
        if (is_decided(good)) return false;
        good = satisfies_member(rule, member.key(), member.value()) && good;
    }
    for (const auto& [name, dependent] : rule.when_present) {
        if (is_decided(good) || !spend(1)) return false;
        if (object.contains(name)) good = satisfies(*dependent, value) && good;
    }
    return good;
}

bool Checker::satisfies_combined(const CombinedRule& rule, const bj::value& value) {
    bool good = true;
    for (const Rule* one : rule.all) {
        if (is_decided(good)) return false;
        good = satisfies(*one, value) && good;
    }
    if (is_decided(good)) return false;
    if (!rule.any.empty() && count_silently(rule.any, value, 1) == 0)
        good = refuse("must match one of the schemas of 'anyOf'");
    if (!rule.one.empty()) {
        const std::size_t count = count_silently(rule.one, value, 2);
        if (count != 1)
            good = refuse(count ? "must match only one of the schemas of 'oneOf'"
                                : "must match one of the schemas of 'oneOf'");
    }
    if (rule.never && silently(*rule.never, value))
        good = refuse("must not match the schema of 'not'");
    if (!rule.condition || is_decided(good)) return good;
    const Rule* next = silently(*rule.condition, value) ? rule.consequence : rule.alternative;
    return (!next || satisfies(*next, value)) && good;
}

}  // namespace

std::vector<SchemaViolation> check(const Program& program, const bj::value& value, std::size_t most,
                                   Effort& effort) {
    Checker checker(most, effort);
    checker.satisfies(*program.root, value);
    return checker.take();
}

}  // namespace holdfast::schema
