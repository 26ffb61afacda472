// The words of an EL expression.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::bpmn {

struct ElToken {
    enum class Kind : std::uint8_t { name, number, text, sign, end, bad };

    Kind kind = Kind::end;
    std::string
        text;  // of a string: unescaped. Word operators (`and`, `eq`) are signs (`&&`, `==`).
    std::size_t offset = 0;
};

class ElLexer {
public:
    explicit ElLexer(std::string_view text) : text_(text) {}
    ElToken next();

private:
    ElToken quoted();
    ElToken number();
    ElToken word();
    ElToken sign();

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace holdfast::bpmn
