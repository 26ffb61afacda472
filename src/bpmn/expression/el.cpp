#include "bpmn/expression/el.h"

#include <array>
#include <optional>

#include "bpmn/expression/el_lexer.h"

namespace holdfast::bpmn {
namespace {

using Kind = ElToken::Kind;

constexpr int most_el_levels = 60;
constexpr std::size_t most_el_bytes = 4'000;

// What FEEL reads as its own words.
constexpr std::array<std::string_view, 19> feel_words{
    "if", "then", "else", "for",   "in",   "return",  "some",     "every",    "satisfies", "and",
    "or", "not",  "true", "false", "null", "between", "function", "instance", "external"};

// Recursive descent; each function gives FEEL text. Everything that is composed gets brackets, so
// that precedences need not agree.
class ElTranslator {
public:
    explicit ElTranslator(std::string_view text) : lexer_(text) { advance(); }

    Result<std::string> translate() {
        std::string text = condition();
        if (!problem_ && token_.kind != Kind::end) refuse("'" + token_.text + "' is not expected");
        if (problem_)
            return fail(ErrorCode::invalid_argument, *problem_,
                        {{"offset", static_cast<std::int64_t>(offset_)}});
        return text;
    }

private:
    void advance() {
        token_ = lexer_.next();
        if (token_.kind == Kind::bad) refuse(token_.text + " cannot be translated");
    }

    void refuse(std::string why) {
        if (problem_) return;
        problem_ = std::move(why);
        offset_ = token_.offset;
        token_ = {Kind::end, "", offset_};
    }

    bool at(std::string_view sign) const {
        return token_.kind == Kind::sign && token_.text == sign;
    }
    bool take(std::string_view sign) {
        if (!at(sign)) return false;
        advance();
        return true;
    }
    void expect(std::string_view sign) {
        if (!take(sign)) refuse("'" + std::string(sign) + "' is missing");
    }

    // a ? b : c
    std::string condition() {
        if (++level_ > most_el_levels) refuse("it nests too deeply");
        if (problem_) return {};
        std::string text = either();
        if (take("?")) {
            const std::string yes = condition();
            expect(":");
            const std::string no = condition();
            text = "(if " + text + " then " + yes + " else " + no + ")";
        }
        --level_;
        return text;
    }

    std::string either() {
        std::string text = both();
        if (!at("||")) return text;
        while (!problem_ && take("||")) text += " or " + both();
        return "(" + text + ")";
    }

    std::string both() {
        std::string text = comparison();
        if (!at("&&")) return text;
        while (!problem_ && take("&&")) text += " and " + comparison();
        return "(" + text + ")";
    }

    bool at_comparison() const {
        return at("==") || at("!=") || at("<") || at(">") || at("<=") || at(">=");
    }

    std::string comparison() {
        std::string text = sum();
        if (!at_comparison()) return text;
        const std::string sign = at("==") ? "=" : token_.text;
        advance();
        text = "(" + text + " " + sign + " " + sum() + ")";
        if (at_comparison()) refuse("comparisons cannot follow each other; use brackets");
        return text;
    }

    std::string sum() {
        std::string text = product();
        if (!at("+") && !at("-")) return text;
        while (!problem_ && (at("+") || at("-"))) {
            text += " " + token_.text + " ";
            advance();
            text += product();
        }
        return "(" + text + ")";
    }

    std::string product() {
        std::string text = unary();
        if (!at("*") && !at("/") && !at("%")) return text;
        while (!problem_ && (at("*") || at("/") || at("%"))) {
            const std::string sign = token_.text;
            advance();
            if (sign == "%")
                text.insert(0, "modulo(").append(", ").append(unary()).append(")");
            else
                text.append(" ").append(sign).append(" ").append(unary());
        }
        return "(" + text + ")";
    }

    std::string unary() {
        if (++level_ > most_el_levels) refuse("it nests too deeply");
        std::string text;
        if (problem_) {
        } else if (take("!")) {
            text = "not(" + unary() + ")";
        } else if (take("-")) {
            text = "(-" + unary() + ")";
        } else if (token_.kind == Kind::name && token_.text == "empty") {
            advance();
            text = empty_test();
        } else {
            text = primary();
        }
        --level_;
        return text;
    }

    // The operand occurs several times, so it has to be short: a path.
    std::string empty_test() {
        const bool bracket = take("(");
        const std::string path = token_.kind == Kind::name ? primary() : "";
        if (path.empty()) refuse("`empty` is translated for a variable only");
        if (bracket) expect(")");
        return "((" + path + " = null or " + path + " = \"\" or " + path + " = [] or " + path +
               " = {}) = true)";
    }

    std::string primary() {
        const ElToken token = token_;
        if (token.kind == Kind::number || token.kind == Kind::text) {
            advance();
            return token.kind == Kind::number ? token.text : feel_string(token.text);
        }
        if (take("(")) {
            std::string text = condition();
            expect(")");
            return "(" + text + ")";
        }
        if (token.kind != Kind::name) {
            refuse(token.kind == Kind::end ? "it ends too early"
                                           : "'" + token.text + "' is not expected");
            return {};
        }
        advance();
        if (token.text == "true" || token.text == "false" || token.text == "null")
            return token.text;
        if (at("(")) refuse("the function " + token.text + " is not known");
        if (token.text == "execution" && at(".")) return execution_member();
        // Begins at 0 in this language, at 1 in FEEL.
        if (token.text == "loopCounter") return "(loopCounter - 1)";
        return path(checked_name(token.text));
    }

    std::string checked_name(const std::string& name) {
        for (const std::string_view word : feel_words)
            if (word == name) refuse("the variable " + name + " has the name of a FEEL word");
        return name;
    }

    // execution.getVariable("x") is x.
    std::string execution_member() {
        advance();
        const bool known = token_.kind == Kind::name && token_.text == "getVariable";
        if (!known) refuse("members of `execution` other than getVariable are not known");
        advance();
        expect("(");
        const ElToken name = token_;
        if (name.kind != Kind::text || !is_plain_name(name.text))
            refuse("getVariable needs the name of a variable");
        advance();
        expect(")");
        return path(checked_name(name.text));
    }

    static bool is_plain_name(std::string_view text) {
        ElLexer lexer(text);
        const ElToken word = lexer.next();
        return word.kind == Kind::name && word.text == text;
    }

    std::string path(std::string text) {
        while (!problem_ && text.size() < most_el_bytes) {
            if (take(".")) {
                const ElToken member = token_;
                if (member.kind != Kind::name) refuse("a member has no name");
                advance();
                if (take("(")) return method(text, member.text);
                text += "." + checked_name(member.text);
            } else if (take("[")) {
                text = indexed(text);
            } else {
                return text;
            }
        }
        refuse("the path is too long");
        return text;
    }

    std::string indexed(const std::string& text) {
        const ElToken index = token_;
        advance();
        expect("]");
        if (index.kind == Kind::text)
            return "get value(" + text + ", " + feel_string(index.text) + ")";
        const bool whole = index.kind == Kind::number && index.text.size() <= 9 &&
                           index.text.find('.') == std::string::npos;
        if (!whole) {
            refuse("an index has to be a number or a string");
            return {};
        }
        return text + "[" + std::to_string(std::stol(index.text) + 1) + "]";
    }

    std::string method(const std::string& of, std::string_view name) {
        std::optional<std::string> argument;
        if (!at(")")) argument = condition();
        expect(")");
        const std::string is_text = "(if " + of + " instance of string then ";
        if (argument) {
            const std::string pair = "(" + of + ", " + *argument + ")";
            if (name == "contains")
                return is_text + "contains" + pair + " else list contains" + pair + ")";
            if (name == "startsWith") return "starts with" + pair;
            if (name == "endsWith") return "ends with" + pair;
            if (name == "matches") return "matches" + pair;
            if (name == "equals") return "(" + of + " = " + *argument + ")";
        } else {
            if (name == "size") return "count(" + of + ")";
            if (name == "length") return "string length(" + of + ")";
            if (name == "isEmpty") return "((" + of + " = [] or " + of + " = \"\") = true)";
            if (name == "toUpperCase") return "upper case(" + of + ")";
            if (name == "toLowerCase") return "lower case(" + of + ")";
        }
        refuse("the method " + std::string(name) + " is not known");
        return {};
    }

    ElLexer lexer_;
    ElToken token_;
    int level_ = 0;
    std::optional<std::string> problem_;
    std::size_t offset_ = 0;
};

}  // namespace

std::string feel_string(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        if (c == '\n')
            quoted += "\\n";
        else
            quoted += c;
    }
    return quoted + "\"";
}

Result<std::string> feel_from_el(std::string_view text) {
    if (text.size() > most_el_bytes)
        return fail(ErrorCode::invalid_argument, "it is too long", {{"offset", 0}});
    return ElTranslator(text).translate();
}

}  // namespace holdfast::bpmn
