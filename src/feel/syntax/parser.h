// Recursive descent over the tokens of one expression. Names are resolved on the way.
#pragma once

#include <initializer_list>

#include "feel/expression.h"
#include "feel/syntax/bindings.h"
#include "feel/syntax/names.h"
#include "feel/syntax/node.h"
#include "feel/temporal/temporal_text.h"

namespace holdfast::feel {

class Parser {
public:
    Parser(Tokens tokens, const ParseOptions& options);

    Result<std::shared_ptr<const Program>> expression_program();
    Result<std::shared_ptr<const Program>> tests_program();

private:
    using Parsed = Result<NodePointer>;

    enum class Start { included, excluded };

    // After the upper end of a range, a `[` may close the range.
    enum class Place { anywhere, range_end };

    // Precedence of operators.
    static constexpr int disjunction = 1;
    static constexpr int conjunction = 2;
    static constexpr int comparison = 3;
    static constexpr int sum = 4;
    static constexpr int product = 5;
    static constexpr int power = 6;
    static int precedence_of(std::string_view sign);

    // parser.cpp: clauses and operators
    Parsed expression();
    Parsed binary(int least);
    Parsed continued(NodePointer left, std::string_view sign, std::size_t at);
    Parsed between(NodePointer value, std::size_t at);
    Parsed membership(NodePointer value, std::size_t at);
    // A comparison without its left side, or an expression of operators from precedence `least` up.
    Parsed test(int least);
    Result<std::vector<NodePointer>> tests();
    Parsed unary();
    Parsed conditional();
    Parsed iteration();
    Parsed quantified(QuantifiedNode::Form form);
    Result<std::vector<Iterator>> iterators(std::string_view end);
    Parsed function(std::string self);
    Result<FunctionNode::Parameter> parameter();
    Result<TestsNode> test_list();

    // parser_primary.cpp: operands
    Parsed postfix();
    Parsed primary();
    Parsed word();
    Parsed number();
    Parsed string();
    Parsed at_literal();
    Parsed parenthesis();
    Parsed bracket();
    Parsed open_range();
    Parsed range_after(NodePointer low, std::size_t at, Start start);
    Parsed context();
    Result<std::string> key();
    Parsed filter(NodePointer base, std::size_t at);
    Parsed call(NodePointer callee, std::size_t at);
    Result<std::vector<Argument>> arguments();
    Parsed path(NodePointer base, std::size_t at);

    // parser_names.cpp: names and types
    struct NameHere {
        std::size_t tokens = 1;
        std::string name;
    };

    NameHere name_here() const;
    NameHere member_here() const;
    // Words after a name belong to it: no construct has a word there.
    NameHere with_following_words(const NameTable::Match& known) const;
    NodePointer reference(std::string name, std::size_t at);
    Result<std::string> name_before(std::string_view sign);
    void remember(const std::string& name) { seen_.add(name); }
    Result<Type> type();
    Result<Type> named_type(const std::string& name, std::size_t begin);
    Result<Type> list_type(Type::Form form);
    Result<Type> function_type();
    Result<Type> context_type();

    // Tokens
    const Token& token() const { return tokens_.list[index_]; }
    bool is(std::string_view sign) const { return tokens_.is(index_, sign); }
    bool take(std::string_view sign) {
        if (!is(sign)) return false;
        ++index_;
        return true;
    }
    Result<void> expect(std::string_view sign, std::string_view after);
    std::unexpected<Error> refuse(std::string message) const {
        return refuse_at(index_, std::move(message));
    }
    std::unexpected<Error> refuse_at(std::size_t index, std::string message) const {
        return located(tokens_.text, tokens_.list[index].offset, std::move(message));
    }
    std::string shown() const;
    // `at` is the index of a token.
    Parsed make(Node::Form form, std::size_t at) const;
    bool closes_range() const;
    bool mentions(std::string_view word, std::size_t begin, std::size_t end) const;
    Result<std::shared_ptr<const Program>> program(NodePointer root) const;

    const ParseOptions& options_;
    Tokens tokens_;
    std::size_t index_ = 0;
    std::uint32_t level_ = 0;
    std::uint32_t type_level_ = 0;
    Place place_ = Place::anywhere;
    Bindings bindings_;
    NameTable given_;  // by the caller
    NameTable seen_;   // in this text
    ZoneCache zones_;
};

}  // namespace holdfast::feel
