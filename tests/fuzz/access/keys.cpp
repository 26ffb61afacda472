// Any bytes as a key set: it is refused with a reason, or has keys that can be used.
#include <cstdlib>

#include "http/access/jwks.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto keys = http::read_jwks(text);
    if (!keys) {
        if (keys.error().message.empty()) std::abort();
        return 0;
    }
    if (keys->empty()) std::abort();
    const std::string signature(64, 's');
    for (const http::VerifyingKey& key : *keys)
        if (key.verifies(text, signature)) std::abort();
    return 0;
}
