#include "feel/builtins/reference.h"

#include "feel/builtins/builtins.h"
#include "feel/evaluate.h"
#include "feel/evaluation/budget.h"
#include "feel/values/show.h"

namespace holdfast::feel {
namespace {

constexpr std::string_view opening = R"(# FEEL

The expression language of DMN and BPMN: conditions, mappings, keys. This page is made by
`holdfast feel --reference`; a test compares them. To try an expression:

    holdfast feel 'amount > 1000 and customer.region = "EU"' \
        --context '{"amount": 1500, "customer": {"region": "EU"}}'

It prints the result as JSON and exits with 0. An expression that cannot be parsed, or JSON that is
none, is a usage error (2) with its place. Past a budget, or for a result that has no JSON form, it
exits with 1. Another reason for a null goes to standard error, as a note.

## The language in short

| construct | example | meaning |
|---|---|---|
| number | `1`, `.5`, `1.2e3` | decimal128: 34 digits, no binary fractions |
| string | `"a\n\u00e9"` | Unicode; positions count characters |
| date, time | `@"2024-02-29"`, `@"10:00:00@Europe/Paris"` | ISO 8601; zones by IANA name |
| duration | `@"P1DT2H"`, `@"P1Y2M"` | days and time, or years and months |
| list, range | `[1, 2]`, `[1..10)`, `(< 5)` | |
| context | `{a: 1, b: a + 1}` | an entry sees those before it |
| arithmetic | `+ - * / **` | dates and durations too |
| comparison | `= != < <= > >=`, `between`, `in` | null if the kinds do not fit |
| logic | `and`, `or`, `not(x)` | three-valued: null is unknown |
| path | `order.lines.price` | over a list: of every item |
| filter | `lines[price > 10]`, `lines[1]`, `lines[-1]` | names of the item, or `item` |
| condition | `if a then b else c` | anything but true is false |
| loop | `for x in 1..3, y in list return x * y` | `partial` is what there is so far |
| quantifier | `some x in list satisfies x > 1`, `every ...` | |
| function | `function(a: number, b) a + b` | closures |
| call | `f(1, 2)`, `f(b: 1, a: 2)` | an entry of a context may call itself |
| type test | `x instance of list<number>` | |
| unary tests | `< 10, [20..30]`, `not("a")`, `-`, `? > 5` | `?` is the tested value |

Names may have spaces and signs (`order total`, `a-b`): the longest name in scope wins. Words in a
row that nobody knows are one name. A name that does not exist is null. Names of context entries in
the text are known from there on.

Equality and order of times go by whole seconds, as the standard counts them; `is` compares
everything. A time in a zone has no date, so it counts with the zone's standard offset. A date and
time in a zone moves by elapsed time when a days and time duration is added, others by the clock on
the wall. A local time cannot be compared with one that has an offset.

Patterns are XPath's, with the flags `i`, `m`, `q`, `s` and `x`, run in linear time. Not served:
references back to groups that are no plain text, and taking classes such as `\w` out of a class.

JSON becomes FEEL without guessing: a string stays a string until `date(...)` reads it. FEEL becomes
JSON with whole numbers of 64 bits as integers, other numbers as the nearest double, dates, times,
durations and ranges as text. A function has no JSON form.

## Budgets

Past one of them an evaluation stops with null and the reason. Past the last three an expression is
refused when it is parsed.

| budget | default |
|---|---|
)";

void add_row(std::string& page, std::string_view name, std::uint64_t amount) {
    page += "| " + std::string(name) + " | " + std::to_string(amount) + " |\n";
}

std::string budgets() {
    const Budget budget;
    const ParseOptions text;
    std::string page;
    add_row(page, "steps: parts evaluated, items visited, text read", budget.steps);
    add_row(page, "memory: bytes allocated on the way", budget.memory);
    add_row(page, "depth: expressions and calls inside one another", budget.depth);
    add_row(page, "range length: values of a range that is iterated", budget.range_length);
    add_row(page, "output size: bytes of the result as text", budget.output_size);
    add_row(page, "text of an expression, bytes", text.most_bytes);
    add_row(page, "words and signs in it", text.most_tokens);
    add_row(page, "brackets and clauses inside one another", text.most_levels);
    return page;
}

std::string signature(const Builtin& row) {
    std::string text = std::string(row.name) + "(";
    for (const Parameter& parameter : row.parameters) {
        if (&parameter != row.parameters.begin()) text += ", ";
        text += parameter.name;
        if (parameter.given == Given::maybe) text += "?";
    }
    return text + (row.repeat == Repeat::last ? ", ...)" : ")");
}

// A bar would end the cell of a table.
std::string cell(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string result_of(std::string_view example) {
    const auto expression = parse(example);
    if (!expression) return expression.error().message;
    const Settings settings{.now = Moment(std::chrono::seconds(1'700'000'000))};
    const Value value = evaluate(*expression, Scope(), settings).value;
    // In a list strings have their quotes.
    const std::string text = shown(List({value}));
    return text.substr(1, text.size() - 2);
}

}  // namespace

std::string reference_page() {
    std::string page(opening);
    page += budgets() + "\n## Built-in functions\n\nParameters with `?` may be left out.\n";
    for (const BuiltinGroup& group : builtin_groups()) {
        page += "\n### " + std::string(group.title) + "\n\n";
        page += "| function | | example | result |\n|---|---|---|---|\n";
        for (const Builtin& row : group.rows)
            page += "| `" + signature(row) + "` | " + std::string(row.about) + " | `" +
                    cell(row.example) + "` | `" + cell(result_of(row.example)) + "` |\n";
    }
    return page;
}

}  // namespace holdfast::feel
