#include <algorithm>
#include <set>

#include "feel/builtins/builtins.h"
#include "feel/syntax/parser.h"

namespace holdfast::feel {
namespace {

// Tokens that cannot begin an expression: a `[` before one of them closes a range.
bool follows_range(std::string_view text) {
    constexpr std::string_view signs[] = {",",      ")",         "]",  "}",       ".",
                                          "*",      "/",         "=",  "!=",      "<",
                                          "<=",     ">",         ">=", "+",       "**",
                                          ":",      "and",       "or", "then",    "else",
                                          "return", "satisfies", "in", "between", "instance"};
    return std::ranges::find(signs, text) != std::end(signs);
}

bool is_any_literal(const Node& node) {
    const auto* literal = std::get_if<Literal>(&node.form);
    return literal != nullptr;
}

}  // namespace

bool Parser::closes_range() const {
    if (place_ != Place::range_end || !is("[")) return false;
    const Token& next = tokens_.list[index_ + 1];
    return next.kind == Token::Kind::end ||
           (next.kind != Token::Kind::string && follows_range(tokens_.view(next)));
}

Parser::Parsed Parser::postfix() {
    const std::size_t at = index_;
    HF_TRY(NodePointer node, primary());
    while (true) {
        // At the end of a range, a `[` after a literal closes the range.
        const bool ends = place_ == Place::range_end && is("[") && is_any_literal(*node);
        if (is(".")) {
            HF_TRY(node, path(std::move(node), at));
        } else if (is("[") && !ends && !closes_range()) {
            HF_TRY(node, filter(std::move(node), at));
        } else if (is("(")) {
            HF_TRY(node, call(std::move(node), at));
        } else {
            return node;
        }
    }
}

Parser::Parsed Parser::primary() {
    switch (token().kind) {
        case Token::Kind::number: return number();
        case Token::Kind::string: return string();
        case Token::Kind::word: return word();
        case Token::Kind::end: return refuse("unexpected end of the expression");
        case Token::Kind::sign: break;
    }
    if (is("(")) return parenthesis();
    if (is("[")) return bracket();
    if (is("]")) return open_range();
    if (is("{")) return context();
    if (is("@")) return at_literal();
    if (is("?")) {
        const auto found = bindings_.find("?");
        if (!found.local) return refuse("'?' is allowed in unary tests only");
        ++index_;
        return make(LocalName{*found.local}, index_ - 1);
    }
    return refuse("expected a value, found " + shown());
}

Parser::Parsed Parser::number() {
    const auto number = Decimal::parse(tokens_.view(token()));
    if (!number) return refuse("the number " + shown() + " is out of range");
    ++index_;
    return make(Literal{*number}, index_ - 1);
}

Parser::Parsed Parser::string() {
    Text text(unescaped(tokens_.view(token())));
    ++index_;
    return make(Literal{std::move(text)}, index_ - 1);
}

Parser::Parsed Parser::at_literal() {
    const std::size_t at = index_++;
    if (token().kind != Token::Kind::string)
        return refuse("expected a string after '@', found " + shown());
    const std::string text = unescaped(tokens_.view(token()));
    ++index_;
    if (const auto date = parse_date(text)) return make(Literal{*date}, at);
    if (auto moment = parse_date_time(text, zones_)) return make(Literal{*std::move(moment)}, at);
    if (auto time = parse_time(text, zones_)) return make(Literal{*std::move(time)}, at);
    if (const auto months = parse_months(text)) return make(Literal{*months}, at);
    if (const auto seconds = parse_seconds(text)) return make(Literal{*seconds}, at);
    return refuse_at(at, "'" + text.substr(0, 80) +
                             "' is not a date, a time, a date and time or a duration, or names an "
                             "unknown time zone");
}

Parser::Parsed Parser::word() {
    const std::size_t at = index_;
    NameHere here = name_here();
    if (here.tokens == 1) {
        if (is("if")) return conditional();
        if (is("for")) return iteration();
        if (is("some")) return quantified(QuantifiedNode::Form::some);
        if (is("every")) return quantified(QuantifiedNode::Form::every);
        if (is("function")) return function({});
        if (take("null")) return make(Literal{}, at);
        if (take("true")) return make(Literal{true}, at);
        if (take("false")) return make(Literal{false}, at);
    }
    index_ += here.tokens;
    return reference(std::move(here.name), at);
}

Parser::Parsed Parser::parenthesis() {
    const std::size_t at = index_++;
    if (token().kind == Token::Kind::sign) {
        const std::string_view sign = tokens_.view(token());
        if (sign == "<" || sign == "<=" || sign == ">" || sign == ">=" || sign == "=" ||
            sign == "!=") {
            HF_TRY(NodePointer only, test(sum));
            HF_CHECK(expect(")", "the comparison"));
            return only;
        }
    }
    HF_TRY(NodePointer inner, expression());
    if (take("..")) return range_after(std::move(inner), at, Start::excluded);
    HF_CHECK(expect(")", "the expression in parentheses"));
    return inner;
}

Parser::Parsed Parser::bracket() {
    const std::size_t at = index_++;
    ListNode list;
    if (take("]")) return make(std::move(list), at);
    HF_TRY(NodePointer first, expression());
    if (take("..")) return range_after(std::move(first), at, Start::included);
    list.items.push_back(std::move(first));
    while (take(",")) {
        HF_TRY(NodePointer next, expression());
        list.items.push_back(std::move(next));
    }
    HF_CHECK(expect("]", "the list"));
    return make(std::move(list), at);
}

Parser::Parsed Parser::open_range() {
    const std::size_t at = index_++;
    HF_TRY(NodePointer low, expression());
    HF_CHECK(expect("..", "the lower end of the range"));
    return range_after(std::move(low), at, Start::excluded);
}

Parser::Parsed Parser::range_after(NodePointer low, std::size_t at, Start start) {
    const Place outside = std::exchange(place_, Place::range_end);
    HF_TRY(NodePointer high, binary(sum));
    place_ = outside;
    RangeNode range{std::move(low), std::move(high), start == Start::included, is("]")};
    if (!take("]") && !take(")") && !take("["))
        return refuse("expected ']' or ')' after the range, found " + shown());
    return make(std::move(range), at);
}

Result<std::string> Parser::key() {
    if (token().kind == Token::Kind::string) {
        std::string name = unescaped(tokens_.view(token()));
        ++index_;
        HF_CHECK(expect(":", "the name of the entry"));
        return name;
    }
    return name_before(":");
}

Parser::Parsed Parser::context() {
    const std::size_t at = index_++;
    const std::size_t mark = bindings_.mark();
    ContextNode node;
    std::set<std::string> names;
    while (!is("}")) {
        const std::size_t begin = index_;
        HF_TRY(std::string name, key());
        if (!names.insert(name).second) return refuse_at(begin, "duplicate entry '" + name + "'");
        remember(name);
        ContextNode::Item item{.name = Text(name)};
        if (is("function") && tokens_.is(index_ + 1, "(")) {
            HF_TRY(item.value, function(name));
        } else {
            HF_TRY(item.value, expression());
        }
        item.slot = bindings_.bind(std::move(name));
        node.items.push_back(std::move(item));
        if (!take(",")) break;
    }
    HF_CHECK(expect("}", "the context"));
    bindings_.forget_since(mark);
    return make(std::move(node), at);
}

Parser::Parsed Parser::filter(NodePointer base, std::size_t at) {
    ++index_;
    const std::size_t mark = bindings_.mark();
    FilterNode node{std::move(base), nullptr, bindings_.bind_item()};
    HF_TRY(node.condition, expression());
    bindings_.forget_since(mark);
    HF_CHECK(expect("]", "the filter"));
    return make(std::move(node), at);
}

Result<std::vector<Argument>> Parser::arguments() {
    std::vector<Argument> list;
    ++index_;
    while (!is(")")) {
        std::size_t end = index_;
        while (tokens_.list[end].kind == Token::Kind::word) ++end;
        Argument argument;
        if (end > index_ && tokens_.is(end, ":")) {
            argument.name = joined(tokens_, index_, end);
            index_ = end + 1;
        }
        if (!list.empty() && argument.name.empty() != list.front().name.empty())
            return refuse("arguments must be all by name or all by position");
        HF_TRY(argument.value, expression());
        list.push_back(std::move(argument));
        if (!take(",")) break;
    }
    HF_CHECK(expect(")", "the arguments"));
    return list;
}

Parser::Parsed Parser::call(NodePointer callee, std::size_t at) {
    HF_TRY(auto given, arguments());
    const auto* name = std::get_if<OuterName>(&callee->form);
    if (name && !name->local && !name->builtins.empty())
        return make(BuiltinCallNode{name->builtins, std::move(given)}, at);
    return make(CallNode{std::move(callee), std::move(given)}, at);
}

Parser::Parsed Parser::path(NodePointer base, std::size_t at) {
    ++index_;
    if (token().kind != Token::Kind::word)
        return refuse("expected a name after '.', found " + shown());
    NameHere here = member_here();
    std::string member = std::move(here.name);
    index_ += here.tokens;
    if (const auto* known = std::get_if<VariablePath>(&base->form)) {
        VariablePath longer = *known;
        longer.members.push_back(std::move(member));
        return make(std::move(longer), at);
    }
    const auto* name = std::get_if<OuterName>(&base->form);
    if (name && !name->local && name->items.empty())
        return make(VariablePath{name->name, {std::move(member)}}, at);
    return make(PathNode{std::move(base), std::move(member)}, at);
}

}  // namespace holdfast::feel
