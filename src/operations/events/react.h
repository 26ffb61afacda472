// Lets the program of an instance react to what happened to it, and applies the reaction to the
// view. Knows no kinds of programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/program.h"
#include "store/view.h"

namespace holdfast::op {

// What is pending for a wait that the reaction begins is delivered too.
void react(View& view, const InstanceId& id, const Stimulus& stimulus, const Cause& cause);

// The same for what a program may refuse: why it does. Nothing is changed then.
std::optional<std::string> react_unless_refused(View& view, const InstanceId& id,
                                                const Stimulus& stimulus, const Cause& cause);

// Applies what a program wants for the instance, with what is pending for the waits that begin.
void apply_reaction(View& view, const InstanceId& id, Reaction reaction, const Cause& cause);

// Somebody changed the state of an open instance: a process may wait for a condition that is true
// now. One that is paused looks when it is resumed.
void tell_of_edit(View& view, const InstanceId& id, const Cause& cause);

// Returns the waits that it begins; what is pending for them is not delivered yet.
std::vector<TokenId> react_once(View& view, const InstanceId& id, const Stimulus& stimulus,
                                const Cause& cause);

// From now on the wait can be delivered to, also within this round, unless the instance takes no
// deliveries.
void begin_wait(View& view, const InstanceId& id, Waiting waiting);

}  // namespace holdfast::op
