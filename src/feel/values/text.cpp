#include "feel/values/text.h"

#include <cstring>
#include <new>

namespace holdfast::feel {

Text::Text(std::string_view text) : size_(text.size()), place_{} {
    char* bytes = place_.bytes;
    if (size_ > inside) {
        place_.shared = new (::operator new(sizeof(Shared) + size_)) Shared{1};
        bytes = reinterpret_cast<char*>(place_.shared + 1);
    }
    if (size_ > 0) std::memcpy(bytes, text.data(), size_);
}

void Text::release() {
    Shared* mine = place_.shared;
    if (mine->users.fetch_sub(1, std::memory_order_acq_rel) == 1) ::operator delete(mine);
}

}  // namespace holdfast::feel
