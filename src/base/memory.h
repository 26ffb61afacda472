// What the process holds of the system's memory.
#pragma once

namespace holdfast {

// Gives back what is free, where the allocator can.
void give_back_free_memory();

}  // namespace holdfast
