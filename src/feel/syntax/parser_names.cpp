#include <algorithm>
#include <array>

#include "feel/builtins/builtins.h"
#include "feel/evaluation/properties.h"
#include "feel/syntax/parser.h"

namespace holdfast::feel {
namespace {

constexpr std::uint32_t most_type_levels = 32;

// Words that end an unknown name.
bool is_infix(std::string_view word) {
    constexpr std::array<std::string_view, 9> infix = {
        "in", "and", "or", "between", "instance", "then", "else", "return", "satisfies"};
    return std::ranges::find(infix, word) != infix.end();
}

NameTable::Match longest(std::initializer_list<NameTable::Match> matches) {
    return std::ranges::max(matches, {}, &NameTable::Match::tokens);
}

const NameTable& builtin_names() {
    static const NameTable names = [] {
        NameTable table;
        for (const Builtin& builtin : all_builtins()) table.add(builtin.name);
        return table;
    }();
    return names;
}

const NameTable& property_names() {
    static const NameTable names = [] {
        NameTable table;
        for (const std::string_view name : all_properties()) table.add(name);
        return table;
    }();
    return names;
}

struct SimpleType {
    std::string_view name;
    Kind kind;
};

constexpr std::array<SimpleType, 9> simple_types = {{
    {"years and months duration", Kind::months},
    {"days and time duration", Kind::seconds},
    {"date and time", Kind::date_time},
    {"date", Kind::date},
    {"time", Kind::time},
    {"number", Kind::number},
    {"string", Kind::string},
    {"boolean", Kind::boolean},
    {"context", Kind::context},
}};

const NameTable& type_names() {
    static const NameTable names = [] {
        NameTable table;
        for (const SimpleType& type : simple_types) table.add(type.name);
        return table;
    }();
    return names;
}

}  // namespace

Parser::NameHere Parser::with_following_words(const NameTable::Match& known) const {
    const std::size_t least = index_ + std::max<std::size_t>(known.tokens, 1);
    std::size_t end = least;
    while (tokens_.list[end].kind == Token::Kind::word &&
           !is_infix(tokens_.view(tokens_.list[end])))
        ++end;
    if (end == least && known.tokens > 0) return {known.tokens, std::string(known.name)};
    return {end - index_, joined(tokens_, index_, end)};
}

Parser::NameHere Parser::name_here() const {
    constexpr std::array<std::string_view, 8> clauses = {"if",       "for",  "some", "every",
                                                         "function", "null", "true", "false"};
    const auto known =
        longest({given_.longest_at(tokens_, index_), seen_.longest_at(tokens_, index_),
                 builtin_names().longest_at(tokens_, index_)});
    const std::string_view word = tokens_.view(token());
    const bool clause = std::ranges::find(clauses, word) != clauses.end();
    if (known.tokens <= 1 && clause) return {1, std::string(word)};
    return with_following_words(known);
}

Parser::NameHere Parser::member_here() const {
    return with_following_words(
        longest({given_.longest_at(tokens_, index_), seen_.longest_at(tokens_, index_),
                 property_names().longest_at(tokens_, index_)}));
}

NodePointer Parser::reference(std::string name, std::size_t at) {
    Bindings::Found found = bindings_.find(name);
    const std::uint32_t offset = tokens_.list[at].offset;
    if (found.local && found.items.empty())
        return std::make_unique<const Node>(LocalName{*found.local}, offset);
    OuterName outer{.name = std::move(name), .items = std::move(found.items), .local = found.local};
    outer.builtins = find_builtins(outer.name);
    return std::make_unique<const Node>(std::move(outer), offset);
}

Result<std::string> Parser::name_before(std::string_view sign) {
    const std::size_t begin = index_;
    while (!is(sign)) {
        const Token::Kind kind = token().kind;
        const bool inside =
            kind == Token::Kind::word || kind == Token::Kind::number ||
            (kind == Token::Kind::sign &&
             std::string_view("+-*/.'**").find(tokens_.view(token())) != std::string_view::npos);
        if (!inside)
            return refuse("expected '" + std::string(sign) + "' after the name, found " + shown());
        ++index_;
    }
    if (begin == index_ || tokens_.list[begin].kind != Token::Kind::word)
        return refuse_at(begin, "expected a name, found '" +
                                    std::string(tokens_.view(tokens_.list[begin])) + "'");
    std::string name = joined(tokens_, begin, index_);
    ++index_;
    return name;
}

Result<Type> Parser::type() {
    if (type_level_ >= most_type_levels) return refuse("the type is nested too deep");
    const std::size_t begin = index_;
    if (token().kind != Token::Kind::word) return refuse("expected a type, found " + shown());
    NameTable named;
    for (const auto& [name, text] : options_.types) named.add(name);
    const auto known =
        longest({named.longest_at(tokens_, index_), type_names().longest_at(tokens_, index_)});
    index_ += std::max<std::size_t>(known.tokens, 1);
    const std::string name =
        known.tokens > 0 ? std::string(known.name) : joined(tokens_, begin, index_);
    if (const auto text = options_.types.find(name); text != options_.types.end()) {
        HF_TRY(Tokens tokens, tokenize(text->second, options_.most_tokens));
        Parser parser(std::move(tokens), options_);
        parser.type_level_ = type_level_ + 1;
        return parser.type();
    }
    ++type_level_;
    auto result = named_type(name, begin);
    --type_level_;
    return result;
}

Result<Type> Parser::named_type(const std::string& name, std::size_t begin) {
    if (name == "Any") return Type::any();
    if (name == "Null") return Type{.form = Type::Form::null};
    if (name == "list") return list_type(Type::Form::list);
    if (name == "range") return list_type(Type::Form::range);
    if (name == "function") return function_type();
    if (name == "context" && is("<")) return context_type();
    const auto simple = std::ranges::find(simple_types, name, &SimpleType::name);
    if (simple != simple_types.end()) return Type::simple(simple->kind);
    return refuse_at(begin, "unknown type '" + name + "'");
}

Result<Type> Parser::list_type(Type::Form form) {
    Type result{.form = form, .inner = {Type::any()}};
    if (!take("<")) return result;
    HF_TRY(result.inner.front(), type());
    HF_CHECK(expect(">", "the type"));
    return result;
}

Result<Type> Parser::context_type() {
    Type result{.form = Type::Form::context};
    HF_CHECK(expect("<", "'context'"));
    while (!is(">")) {
        HF_TRY(std::string name, name_before(":"));
        remember(name);
        HF_TRY(Type member, type());
        result.names.push_back(std::move(name));
        result.inner.push_back(std::move(member));
        if (!take(",")) break;
    }
    HF_CHECK(expect(">", "the members"));
    return result;
}

Result<Type> Parser::function_type() {
    Type result{.form = Type::Form::function};
    if (!take("<")) return refuse("expected '<' after 'function', found " + shown());
    while (!is(">")) {
        HF_TRY(Type parameter, type());
        result.inner.push_back(std::move(parameter));
        if (!take(",")) break;
    }
    HF_CHECK(expect(">", "the parameters"));
    HF_CHECK(expect("->", "the parameters"));
    HF_TRY([[maybe_unused]] Type returned, type());
    return result;
}

}  // namespace holdfast::feel
