#include "model/schema/compile.h"

#include <algorithm>
#include <boost/json.hpp>
#include <unordered_map>

#include "base/json/canonical.h"
#include "base/json/number.h"
#include "model/schema/keywords.h"
#include "model/schema/same_value.h"

namespace holdfast::schema {
namespace {

constexpr std::size_t most_rules = 10'000;
constexpr std::size_t most_patterns = 256;
constexpr std::int64_t pattern_memory = 1 << 20;
constexpr std::string_view draft_7 = "://json-schema.org/draft-07/schema";

std::optional<std::uint8_t> kinds_named(std::string_view name) {
    if (name == "null") return kind::null;
    if (name == "boolean") return kind::boolean;
    if (name == "integer") return kind::integer;
    if (name == "number") return kind::integer | kind::fraction;
    if (name == "string") return kind::string;
    if (name == "array") return kind::array;
    if (name == "object") return kind::object;
    return std::nullopt;
}

bool is_draft_7(std::string_view uri) {
    if (uri.ends_with('#')) uri.remove_suffix(1);
    return uri == "http" + std::string(draft_7) || uri == "https" + std::string(draft_7);
}

// Decodes percent escapes. Absent: an invalid escape.
std::optional<std::string> unescaped(std::string_view fragment) {
    const auto digit = [](char c) {
        return std::string_view("0123456789abcdef").find(static_cast<char>(c | 0x20));
    };
    std::string text;
    for (std::size_t i = 0; i < fragment.size(); ++i) {
        if (fragment[i] != '%') {
            text += fragment[i];
            continue;
        }
        if (i + 2 >= fragment.size()) return std::nullopt;
        const auto high = digit(fragment[i + 1]);
        const auto low = digit(fragment[i + 2]);
        if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
        text += static_cast<char>(high << 4 | low);
        i += 2;
    }
    return text;
}

// Compiles schemas from a queue instead of recursively, so that depth and references need no stack.
class Compiler {
public:
    explicit Compiler(const bj::value& document) : document_(document) {}

    Result<std::unique_ptr<const Program>> run() {
        program_->root = rule_for(document_, "");
        while (!waiting_.empty() && !problem_) {
            const Waiting next = std::move(waiting_.front());
            waiting_.pop_front();
            fill(next);
        }
        if (problem_) return std::unexpected(*std::move(problem_));
        if (applies_itself(*program_))
            return fail(ErrorCode::invalid_argument,
                        "the schema is not valid: a chain of $ref, allOf, anyOf, oneOf, not, if or "
                        "dependencies leads back to itself, or is longer than 32, without "
                        "descending into the value");
        return std::move(program_);
    }

private:
    struct Waiting {
        const bj::value* source;
        std::string path;
        Rule* rule;
    };

    Rule* rule_for(const bj::value& source, std::string path) {
        const auto [known, fresh] = rules_.try_emplace(&source, nullptr);
        if (!fresh) return known->second;
        if (program_->rules.size() == most_rules) blame(path, "one of at most 10,000 subschemas");
        known->second = &program_->rules.emplace_back();
        waiting_.push_back({&source, std::move(path), known->second});
        return known->second;
    }

    void fill(const Waiting& next) {
        if (next.source->is_bool()) {
            if (!next.source->get_bool()) next.rule->kinds = 0;
            return;
        }
        const bj::object* object = next.source->if_object();
        if (!object) return blame(next.path, "a schema: an object, true or false");
        Keywords keywords(*object, next.path);
        read_identity(keywords, next.path);
        named_rules(keywords, "definitions", [](std::string_view, const Rule*) {});
        if (keywords.find("$ref")) {
            next.rule->reference = referenced(keywords);
        } else {
            read_values(keywords, *next.rule);
            read_number(keywords, *next.rule);
            read_string(keywords, *next.rule);
            read_array(keywords, *next.rule);
            read_object(keywords, *next.rule);
            read_combined(keywords, *next.rule);
        }
        if (!problem_) problem_ = keywords.problem();
    }

    void read_identity(Keywords& keywords, const std::string& path) {
        const auto draft = keywords.text("$schema");
        if (draft && !is_draft_7(*draft))
            keywords.blame("$schema", "http://json-schema.org/draft-07/schema# or absent");
        if (!path.empty() && keywords.find("$id"))
            keywords.blame("$id", "absent: only the root schema may have one");
    }

    const Rule* referenced(Keywords& keywords) {
        const auto reference = keywords.text("$ref");
        if (!reference) return nullptr;
        const auto pointer =
            reference->starts_with('#') ? unescaped(reference->substr(1)) : std::nullopt;
        if (!pointer) {
            keywords.blame("$ref", "a reference into this schema, such as \"#/definitions/...\"");
            return nullptr;
        }
        boost::system::error_code error;
        const bj::value* target = document_.find_pointer(*pointer, error);
        if (target && !error) return rule_for(*target, *pointer);
        keywords.blame("$ref", "a reference to an existing part of this schema");
        return nullptr;
    }

    // Null: the keyword is absent.
    const Rule* one_rule(Keywords& keywords, std::string_view name) {
        const bj::value* value = keywords.find(name);
        return value ? rule_for(*value, keywords.path_of(name)) : nullptr;
    }

    std::vector<const Rule*> rule_list(Keywords& keywords, std::string_view name) {
        std::vector<const Rule*> rules;
        const bj::array* list = keywords.list(name);
        for (std::size_t i = 0; list && i < list->size(); ++i)
            rules.push_back(rule_for((*list)[i], below(keywords.path_of(name), std::to_string(i))));
        return rules;
    }

    template <class Take>
    void named_rules(Keywords& keywords, std::string_view name, Take take) {
        const bj::object* map = keywords.map(name);
        if (!map) return;
        for (const auto& member : *map)
            take(member.key(),
                 rule_for(member.value(), below(keywords.path_of(name), member.key())));
    }

    const re2::RE2* pattern(Keywords& keywords, std::string_view name, std::string_view text) {
        re2::RE2::Options options;
        options.set_log_errors(false);
        options.set_max_mem(pattern_memory);
        const re2::RE2& compiled =
            program_->patterns.emplace_back(re2::StringPiece(text.data(), text.size()), options);
        if (!compiled.ok())
            keywords.blame(name, "valid RE2 syntax (no lookaround, no back references): '" +
                                     std::string(text) + "': " + compiled.error());
        if (program_->patterns.size() > most_patterns)
            keywords.blame(name, "one of at most 256 patterns");
        return &compiled;
    }

    void read_values(Keywords& keywords, Rule& rule) {
        if (const bj::value* type = keywords.find("type")) {
            rule.kinds = 0;
            const auto names = type->is_string()
                                   ? std::vector{std::string(type->get_string())}
                                   : strings_of(*type).value_or(std::vector<std::string>{});
            for (const std::string& name : names) rule.kinds |= kinds_named(name).value_or(0);
            const bool known = std::ranges::all_of(
                names, [](const std::string& name) { return kinds_named(name).has_value(); });
            if (names.empty() || !known) keywords.blame("type", "a JSON type or a list of them");
        }
        if (const bj::value* values = keywords.find("enum")) {
            rule.values.emplace();
            if (!values->is_array()) return keywords.blame("enum", "a list");
            for (const bj::value& value : values->get_array())
                rule.values->insert(json::canonical(value));
        }
        if (const bj::value* value = keywords.find("const"))
            rule.constant = json::canonical(*value);
    }

    void read_number(Keywords& keywords, Rule& rule) {
        NumberRule number{.minimum = keywords.number("minimum"),
                          .maximum = keywords.number("maximum"),
                          .above = keywords.number("exclusiveMinimum"),
                          .below = keywords.number("exclusiveMaximum"),
                          .multiple_of = keywords.number("multipleOf")};
        if (number.multiple_of && number.multiple_of->to_number<double>() <= 0)
            keywords.blame("multipleOf", "greater than 0");
        if (number.minimum || number.maximum || number.above || number.below || number.multiple_of)
            rule.number = std::make_unique<NumberRule>(std::move(number));
    }

    void read_string(Keywords& keywords, Rule& rule) {
        StringRule string{.shortest = keywords.size("minLength"),
                          .longest = keywords.size("maxLength")};
        if (const auto text = keywords.text("pattern"))
            string.pattern = pattern(keywords, "pattern", *text);
        if (string.shortest || string.longest || string.pattern)
            rule.string = std::make_unique<StringRule>(string);
    }

    void read_array(Keywords& keywords, Rule& rule) {
        ArrayRule array{.fewest = keywords.size("minItems"), .most = keywords.size("maxItems")};
        if (keywords.flag("uniqueItems")) array.repetition = Repetition::forbidden;
        const bj::value* items = keywords.find("items");
        if (items && items->is_array() && !items->get_array().empty()) {
            array.leading = rule_list(keywords, "items");
            array.others = one_rule(keywords, "additionalItems");
        } else if (items && items->is_array()) {
            array.others = one_rule(keywords, "additionalItems");
        } else {
            array.others = one_rule(keywords, "items");
        }
        array.contains = one_rule(keywords, "contains");
        if (array.fewest || array.most || array.repetition == Repetition::forbidden ||
            !array.leading.empty() || array.others || array.contains)
            rule.array = std::make_unique<ArrayRule>(std::move(array));
    }

    void read_object(Keywords& keywords, Rule& rule) {
        ObjectRule object{
            .fewest = keywords.size("minProperties"),
            .most = keywords.size("maxProperties"),
            .required = keywords.texts("required").value_or(std::vector<std::string>{})};
        named_rules(keywords, "properties", [&](std::string_view name, const Rule* one) {
            object.members.emplace(name, one);
        });
        named_rules(keywords, "patternProperties", [&](std::string_view name, const Rule* one) {
            object.by_pattern.emplace_back(pattern(keywords, "patternProperties", name), one);
        });
        object.others = one_rule(keywords, "additionalProperties");
        object.names = one_rule(keywords, "propertyNames");
        read_dependencies(keywords, object);
        static constexpr std::string_view names[] = {
            "minProperties",     "maxProperties",        "required",      "properties",
            "patternProperties", "additionalProperties", "propertyNames", "dependencies"};
        if (std::ranges::any_of(names, [&](auto name) { return keywords.find(name) != nullptr; }))
            rule.object = std::make_unique<ObjectRule>(std::move(object));
    }

    void read_dependencies(Keywords& keywords, ObjectRule& object) {
        const bj::object* map = keywords.map("dependencies");
        if (!map) return;
        for (const auto& member : *map) {
            const std::string path = below(keywords.path_of("dependencies"), member.key());
            if (!member.value().is_array())
                object.when_present.emplace_back(member.key(), rule_for(member.value(), path));
            else if (auto names = strings_of(member.value()))
                object.companions.emplace_back(member.key(), *std::move(names));
            else
                blame(path, "a schema or a list of names");
        }
    }

    void read_combined(Keywords& keywords, Rule& rule) {
        CombinedRule combined{.all = rule_list(keywords, "allOf"),
                              .any = rule_list(keywords, "anyOf"),
                              .one = rule_list(keywords, "oneOf"),
                              .never = one_rule(keywords, "not"),
                              .condition = one_rule(keywords, "if"),
                              .consequence = one_rule(keywords, "then"),
                              .alternative = one_rule(keywords, "else")};
        if (!combined.all.empty() || !combined.any.empty() || !combined.one.empty() ||
            combined.never || combined.condition)
            rule.combined = std::make_unique<CombinedRule>(std::move(combined));
    }

    void blame(const std::string& path, std::string_view rule) {
        if (problem_) return;
        problem_ = Error{ErrorCode::invalid_argument,
                         "the schema is not valid: " + (path.empty() ? "it" : path) + " must be " +
                             std::string(rule),
                         {{"path", path}}};
    }

    const bj::value& document_;
    std::unique_ptr<Program> program_ = std::make_unique<Program>();
    std::unordered_map<const bj::value*, Rule*> rules_;
    std::deque<Waiting> waiting_;
    std::optional<Error> problem_;
};

}  // namespace

Result<std::unique_ptr<const Program>> compile(const bj::value& document) {
    return Compiler(document).run();
}

}  // namespace holdfast::schema
