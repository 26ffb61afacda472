// How calls are named: in the journal, in hashes, and to people.
#pragma once

#include "flow/call.h"
#include "model/wait.h"

namespace holdfast::flow {

// "step", "child", ...: part of the hash, so that two kinds never look alike.
std::string_view kind_of(const CallSpec& spec);
// What the journal shows for the begin of a call.
std::string journal_name(const CallSpec& spec);
Digest input_hash(const CallSpec& spec);
// "step 'charge'"
std::string describe(const CallSpec& spec);
std::string describe(const Arrival& arrival);
// "event 'paid' or sleep"
std::string describe(const Wait& wait);

// The event by which a flow is told that its task has ended.
std::string task_event(const std::string& task);

}  // namespace holdfast::flow
