// Processor time of the threads of this process, by name.
#pragma once

#include <map>
#include <string>

namespace holdfast::bench {

// Seconds, by the name of the thread without its number: "round" for round-0 and round-1. Threads
// without a name are not listed. A thread that ended is not counted.
std::map<std::string, double> thread_seconds();
// Of the calling thread.
double own_thread_seconds();

}  // namespace holdfast::bench
