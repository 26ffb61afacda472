// Processor time of the threads of this process, by name.
#pragma once

#include <map>
#include <string>

namespace holdfast::bench {

// Seconds, by the name of the thread: "round-0", "round-1", but "flow-N" for the whole pool.
// Threads without a name are not listed, nor those that have ended.
std::map<std::string, double> thread_seconds();
// Of the calling thread.
double own_thread_seconds();

}  // namespace holdfast::bench
