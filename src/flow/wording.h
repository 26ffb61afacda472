// Names of calls: in the journal, in hashes and in messages.
#pragma once

#include "flow/call.h"
#include "model/wait.h"

namespace holdfast::flow {

// "step", "child", ...: part of the hash, so that kinds never collide.
std::string_view kind_of(const CallSpec& spec);
// The name of a call's begin entry in the journal.
std::string journal_name(const CallSpec& spec);
Digest input_hash(const CallSpec& spec);
// "step 'charge'"
std::string describe(const CallSpec& spec);
std::string describe(const Arrival& arrival);
// "event 'paid' or sleep"
std::string describe(const Wait& wait);

// The event that notifies a flow of the end of its task.
std::string task_event(const std::string& task);

}  // namespace holdfast::flow
