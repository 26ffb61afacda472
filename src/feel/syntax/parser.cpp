#include "feel/syntax/parser.h"

#include <algorithm>
#include <array>

#include "feel/builtins/builtins.h"
#include "feel/syntax/children.h"

namespace holdfast::feel {
namespace {

struct Sign {
    std::string_view text;
    Operator meaning;
};

constexpr std::array<Sign, 11> operators = {{
    {"=", Operator::equal},
    {"!=", Operator::unequal},
    {"<", Operator::less},
    {"<=", Operator::at_most},
    {">", Operator::greater},
    {">=", Operator::at_least},
    {"+", Operator::add},
    {"-", Operator::subtract},
    {"*", Operator::multiply},
    {"/", Operator::divide},
    {"**", Operator::power},
}};

constexpr std::size_t most_parameters = 100;

const Sign* sign_named(std::string_view text) {
    const auto found = std::ranges::find(operators, text, &Sign::text);
    return found == operators.end() ? nullptr : &*found;
}

std::optional<Range::Form> comparison_form(std::string_view text) {
    if (text == "<") return Range::Form::less;
    if (text == "<=") return Range::Form::at_most;
    if (text == ">") return Range::Form::greater;
    if (text == ">=") return Range::Form::at_least;
    if (text == "=") return Range::Form::equal;
    if (text == "!=") return Range::Form::unequal;
    return std::nullopt;
}

}  // namespace

// 0: no operator.
int Parser::precedence_of(std::string_view sign) {
    if (sign == "or") return disjunction;
    if (sign == "and") return conjunction;
    if (sign == "between" || sign == "in" || comparison_form(sign)) return comparison;
    if (sign == "+" || sign == "-") return sum;
    if (sign == "*" || sign == "/") return product;
    return sign == "**" ? power : 0;
}

Parser::Parser(Tokens tokens, const ParseOptions& options)
    : options_(options), tokens_(std::move(tokens)) {
    for (const std::string& name : options.names) given_.add(name);
}

std::string Parser::shown() const {
    if (token().kind == Token::Kind::end) return "the end";
    const std::string_view text = tokens_.view(token());
    return "'" + std::string(text.substr(0, 40)) + "'";
}

Result<void> Parser::expect(std::string_view sign, std::string_view after) {
    if (take(sign)) return {};
    return refuse("expected '" + std::string(sign) + "' after " + std::string(after) + ", found " +
                  shown());
}

Parser::Parsed Parser::make(Node::Form form, std::size_t at) const {
    std::uint32_t height = 1;
    for_each_child(form, [&](const Node& child) { height = std::max(height, child.height + 1); });
    if (height > options_.most_height)
        return refuse_at(at, "the expression is nested deeper than " +
                                 std::to_string(options_.most_height) + " operations");
    return std::make_unique<const Node>(std::move(form), tokens_.list[at].offset, height);
}

Result<std::shared_ptr<const Program>> Parser::program(NodePointer root) const {
    if (token().kind != Token::Kind::end)
        return refuse("expected an operator or the end, found " + shown());
    auto program = std::make_shared<Program>();
    program->text = tokens_.text;
    program->frame_size = bindings_.frame_size();
    program->root = std::move(root);
    return program;
}

Result<std::shared_ptr<const Program>> Parser::expression_program() {
    HF_TRY(auto root, expression());
    return program(std::move(root));
}

Result<std::shared_ptr<const Program>> Parser::tests_program() {
    bindings_.bind("?");
    HF_TRY(TestsNode list, test_list());
    HF_TRY(auto root, make(std::move(list), 0));
    return program(std::move(root));
}

Result<TestsNode> Parser::test_list() {
    TestsNode list;
    if (is("-") && tokens_.list[index_ + 1].kind == Token::Kind::end) {
        ++index_;
        list.negated = true;  // no test may pass, and there are none: every value passes
        return list;
    }
    list.negated = is("not") && tokens_.is(index_ + 1, "(");
    if (list.negated) index_ += 2;
    do {
        const std::size_t begin = index_;
        HF_TRY(auto expression, test(disjunction));
        list.tests.push_back({std::move(expression), mentions("?", begin, index_)});
    } while (take(","));
    if (list.negated) HF_CHECK(expect(")", "the tests"));
    return list;
}

bool Parser::mentions(std::string_view word, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
        if (tokens_.is(i, word)) return true;
    return false;
}

Parser::Parsed Parser::expression() {
    if (++level_ > options_.most_levels)
        return refuse("nested deeper than " + std::to_string(options_.most_levels) + " levels");
    const Place outside = std::exchange(place_, Place::anywhere);
    auto parsed = binary(disjunction);
    place_ = outside;
    --level_;
    return parsed;
}

Parser::Parsed Parser::binary(int least) {
    HF_TRY(NodePointer left, unary());
    while (true) {
        const std::size_t at = index_;
        const std::string_view sign = tokens_.view(token());
        const int precedence = token().kind == Token::Kind::string ? 0 : precedence_of(sign);
        if (precedence < least || precedence == 0) return left;
        ++index_;
        HF_TRY(left, continued(std::move(left), sign, at));
    }
}

Parser::Parsed Parser::continued(NodePointer left, std::string_view sign, std::size_t at) {
    if (sign == "between") return between(std::move(left), at);
    if (sign == "in") return membership(std::move(left), at);
    const int precedence = precedence_of(sign);
    HF_TRY(NodePointer right, binary(precedence + 1));
    if (precedence > conjunction)
        return make(OperationNode{sign_named(sign)->meaning, std::move(left), std::move(right)},
                    at);
    const auto form =
        precedence == conjunction ? LogicNode::Form::conjunction : LogicNode::Form::disjunction;
    return make(LogicNode{form, std::move(left), std::move(right)}, at);
}

Parser::Parsed Parser::between(NodePointer value, std::size_t at) {
    HF_TRY(NodePointer low, binary(sum));
    HF_CHECK(expect("and", "the lower end of 'between'"));
    HF_TRY(NodePointer high, binary(sum));
    return make(BetweenNode{std::move(value), std::move(low), std::move(high)}, at);
}

// `(a, b)` after `in` is a list of tests; without a comma it is any expression in parentheses.
Parser::Parsed Parser::membership(NodePointer value, std::size_t at) {
    MembershipNode node{std::move(value), {}};
    std::size_t depth = 0;
    bool has_comma = false;
    for (std::size_t i = index_; is("(") && i + 1 < tokens_.list.size(); ++i) {
        if (tokens_.is(i, "(") || tokens_.is(i, "[") || tokens_.is(i, "{")) ++depth;
        if (tokens_.is(i, ")") || tokens_.is(i, "]") || tokens_.is(i, "}")) --depth;
        if (depth == 0) break;
        has_comma = has_comma || (depth == 1 && tokens_.is(i, ","));
    }
    if (has_comma) {
        ++index_;
        HF_TRY(node.tests, tests());
        HF_CHECK(expect(")", "the tests"));
    } else {
        HF_TRY(NodePointer only, test(sum));
        node.tests.push_back(std::move(only));
    }
    return make(std::move(node), at);
}

Result<std::vector<NodePointer>> Parser::tests() {
    std::vector<NodePointer> list;
    do {
        HF_TRY(NodePointer one, test(sum));
        list.push_back(std::move(one));
    } while (take(","));
    return list;
}

Parser::Parsed Parser::test(int least) {
    const std::size_t at = index_;
    const auto form =
        token().kind == Token::Kind::sign ? comparison_form(tokens_.view(token())) : std::nullopt;
    if (!form) return least == disjunction ? expression() : binary(least);
    ++index_;
    HF_TRY(NodePointer operand, binary(sum));
    return make(ComparisonNode{*form, std::move(operand)}, at);
}

Parser::Parsed Parser::unary() {
    const std::size_t at = index_;
    if (!take("-")) {
        HF_TRY(NodePointer operand, postfix());
        while (is("instance") && tokens_.is(index_ + 1, "of")) {
            index_ += 2;
            HF_TRY(Type wanted, type());
            HF_TRY(operand, make(InstanceNode{std::move(operand), std::move(wanted)}, at));
        }
        return operand;
    }
    if (++level_ > options_.most_levels)
        return refuse("nested deeper than " + std::to_string(options_.most_levels) + " levels");
    HF_TRY(NodePointer operand, unary());
    --level_;
    if (const auto* literal = std::get_if<Literal>(&operand->form))
        if (const auto* number = literal->value.get<Decimal>())
            return make(Literal{number->negated()}, at);
    return make(NegationNode{std::move(operand)}, at);
}

Parser::Parsed Parser::conditional() {
    const std::size_t at = index_++;
    HF_TRY(NodePointer condition, expression());
    HF_CHECK(expect("then", "the condition of 'if'"));
    HF_TRY(NodePointer yes, expression());
    HF_CHECK(expect("else", "'then'"));
    HF_TRY(NodePointer no, expression());
    return make(ConditionalNode{std::move(condition), std::move(yes), std::move(no)}, at);
}

Result<std::vector<Iterator>> Parser::iterators(std::string_view end) {
    std::vector<Iterator> list;
    do {
        HF_TRY(std::string name, name_before("in"));
        Iterator iterator;
        HF_TRY(iterator.domain, expression());
        if (take("..")) {
            HF_TRY(iterator.end, expression());
        }
        remember(name);
        iterator.slot = bindings_.bind(std::move(name));
        list.push_back(std::move(iterator));
    } while (take(","));
    HF_CHECK(expect(end, "the iterators"));
    return list;
}

Parser::Parsed Parser::iteration() {
    const std::size_t at = index_++;
    const std::size_t mark = bindings_.mark();
    IterationNode node;
    HF_TRY(node.iterators, iterators("return"));
    const Slot partial = bindings_.bind("partial");
    const std::size_t begin = index_;
    HF_TRY(node.body, expression());
    if (mentions("partial", begin, index_)) node.partial = partial;
    bindings_.forget_since(mark);
    return make(std::move(node), at);
}

Parser::Parsed Parser::quantified(QuantifiedNode::Form form) {
    const std::size_t at = index_++;
    const std::size_t mark = bindings_.mark();
    QuantifiedNode node{form, {}, nullptr};
    HF_TRY(node.iterators, iterators("satisfies"));
    HF_TRY(node.condition, expression());
    bindings_.forget_since(mark);
    return make(std::move(node), at);
}

Result<FunctionNode::Parameter> Parser::parameter() {
    FunctionNode::Parameter parameter;
    const std::size_t begin = index_;
    while (!is(":") && !is(",") && !is(")") && token().kind != Token::Kind::end) ++index_;
    if (begin == index_) return refuse("expected the name of a parameter, found " + shown());
    parameter.name = joined(tokens_, begin, index_);
    if (!take(":")) return parameter;
    HF_TRY(parameter.type, type());
    return parameter;
}

Parser::Parsed Parser::function(std::string self) {
    const std::size_t at = index_++;
    HF_CHECK(expect("(", "'function'"));
    FunctionNode node;
    bindings_.open_function(std::move(self));
    while (!is(")")) {
        HF_TRY(auto parameter, this->parameter());
        if (std::ranges::find(node.parameters, parameter.name, &FunctionNode::Parameter::name) !=
            node.parameters.end())
            return refuse_at(at, "duplicate parameter '" + parameter.name + "'");
        if (node.parameters.size() == most_parameters)
            return refuse_at(at, "a function may have at most 100 parameters");
        remember(parameter.name);
        bindings_.bind(parameter.name);
        node.parameters.push_back(std::move(parameter));
        if (!take(",")) break;
    }
    HF_CHECK(expect(")", "the parameters"));
    if (is("external")) return refuse("external functions are not supported");
    HF_TRY(node.body, expression());
    bindings_.close_function(node);
    return make(std::move(node), at);
}

const std::string& Expression::text() const { return program_->text; }

namespace {

Result<Tokens> tokens_of(std::string_view text, const ParseOptions& options) {
    if (text.size() > options.most_bytes)
        return located(
            text, 0,
            "the expression is longer than " + std::to_string(options.most_bytes) + " bytes");
    return tokenize(text, options.most_tokens);
}

}  // namespace

Result<Expression> parse(std::string_view text, const ParseOptions& options) {
    HF_TRY(Tokens tokens, tokens_of(text, options));
    HF_TRY(auto program, Parser(std::move(tokens), options).expression_program());
    return Expression(std::move(program));
}

Result<Expression> parse_unary_tests(std::string_view text, const ParseOptions& options) {
    HF_TRY(Tokens tokens, tokens_of(text, options));
    HF_TRY(auto program, Parser(std::move(tokens), options).tests_program());
    return Expression(std::move(program));
}

}  // namespace holdfast::feel
