// FEEL expressions: parsed once, evaluated many times. An Expression is immutable and may be
// evaluated by any number of threads at once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast::feel {

struct Program;

class Expression {
public:
    explicit Expression(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

    const std::string& text() const;
    const std::shared_ptr<const Program>& program() const { return program_; }

private:
    std::shared_ptr<const Program> program_;
};

struct ParseOptions {
    // Names with spaces or operators that may occur, also of members; the longest one wins. Others
    // need not be listed: consecutive unknown words form one name.
    std::vector<std::string> names;
    // Types that `instance of` and parameters may name, as FEEL text.
    std::map<std::string, std::string> types;

    std::size_t most_bytes = 1 << 20;
    std::size_t most_tokens = 50'000;
    std::uint32_t most_levels = 200;  // nested brackets and clauses
    std::uint32_t most_height = 500;  // of the tree, long sums included
};

// invalid_argument says what is wrong and where: `offset`, `line` and `column` in the context.
Result<Expression> parse(std::string_view text, const ParseOptions& options = {});

// Tests of a value, such as `< 10, [20..30], not("a")` or `-`; `?` is the value.
Result<Expression> parse_unary_tests(std::string_view text, const ParseOptions& options = {});

}  // namespace holdfast::feel
