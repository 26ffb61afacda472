// Parses any bytes; an error has an offset inside them.
#include <cstdint>

#include "base/assert.h"
#include "feel/expression.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const feel::ParseOptions options{.names = {"order total", "a-b", "x in y", "first name"}};
    const auto check = [&](const Result<feel::Expression>& parsed) {
        if (parsed) return;
        const auto* offset = parsed.error().context.if_contains("offset");
        HF_ASSERT(offset && offset->to_number<std::size_t>() <= size,
                  "an error has an offset inside the text");
    };
    check(feel::parse(text, options));
    check(feel::parse_unary_tests(text, options));
    return 0;
}
