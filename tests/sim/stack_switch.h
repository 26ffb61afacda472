// Notifies the address sanitizer of stack switches. Without the sanitizer nothing happens.
#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace holdfast::sim {

struct Stack {
    const void* bottom = nullptr;
    std::size_t size = 0;
};

// Before the switch. `kept` stores the sanitizer's state of the current stack until it is resumed;
// null: it never is.
inline void leave_for([[maybe_unused]] const Stack& next, [[maybe_unused]] void** kept) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(kept, next.bottom, next.size);
#endif
}

// After the switch, on the new stack. `from`: receives the previous one; may be null.
inline void arrive([[maybe_unused]] void* kept, [[maybe_unused]] Stack* from) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(kept, from ? &from->bottom : nullptr,
                                    from ? &from->size : nullptr);
#endif
}

}  // namespace holdfast::sim
