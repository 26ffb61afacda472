#include "feel/text.h"

#include <new>

namespace holdfast::feel {

Text::Text(std::string_view text) : size_(text.size()), bytes_{} {
    char* place = bytes_;
    if (size_ > inside) {
        auto* fresh = new (::operator new(sizeof(Shared) + size_)) Shared{1};
        std::memcpy(bytes_, &fresh, sizeof fresh);
        place = reinterpret_cast<char*>(fresh + 1);
    }
    if (size_ > 0) std::memcpy(place, text.data(), size_);
}

void Text::release() {
    Shared* mine = shared();
    if (mine->users.fetch_sub(1, std::memory_order_acq_rel) == 1) ::operator delete(mine);
}

}  // namespace holdfast::feel
