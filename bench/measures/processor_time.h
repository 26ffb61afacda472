// Processor time of processes.
#pragma once

namespace holdfast::bench {

// Of this process and its descendants, a database server included.
double processor_seconds();
// Of this process alone, finer than /proc has it.
double own_processor_seconds();

}  // namespace holdfast::bench
