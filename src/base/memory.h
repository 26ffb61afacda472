// Returns free heap memory to the operating system.
#pragma once

namespace holdfast {

// Does nothing where the allocator has no such function.
void release_free_memory();

}  // namespace holdfast
