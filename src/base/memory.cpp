#include "base/memory.h"

#include <cstdlib>  // defines __GLIBC__
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace holdfast {

void release_free_memory() {
#if defined(__GLIBC__)
    ::malloc_trim(0);
#endif
}

}  // namespace holdfast
