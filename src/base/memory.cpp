#include "base/memory.h"

#include <cstdlib>  // says whether this is glibc
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace holdfast {

void give_back_free_memory() {
#if defined(__GLIBC__)
    ::malloc_trim(0);
#endif
}

}  // namespace holdfast
