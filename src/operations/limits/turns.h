// Turns: the right of a workflow to run whose definition has limits. A limiter gives them
// (program/limiter); here is who asks for one, who waits, and who gets the next (ADR 64).
#pragma once

#include "program/stimulus.h"
#include "store/view.h"

namespace holdfast::op {

// The instance is new: its program begins if there is a turn for it, else it waits for one.
void begin_in_turn(View& view, const InstanceId& id, const Definition& definition,
                   const stimulus::Started& started, const Cause& cause);

// Those who have waited longest, or are more urgent, get the turns that there are.
void give_turns(View& view, const InstanceId& limiter, const Cause& cause);

// The instance may have waited for its turn where no limiter found it: it was paused or set aside.
void ask_for_turn(View& view, const InstanceId& id, const Cause& cause);

// The definition has other limits than before.
void tell_limiters(View& view, const Definition& definition, const Cause& cause);

}  // namespace holdfast::op
