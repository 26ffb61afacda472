// Processor time of a tree of processes.
#pragma once

namespace holdfast::bench {

// Of this process and its descendants, a database server included.
double processor_seconds();

}  // namespace holdfast::bench
