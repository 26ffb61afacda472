// Ends instances, whatever the cause: queued events follow their policy, open tasks are cancelled,
// and instances that wait for the end are woken, in the same commit (001.9, 001.14, 004.9).
#pragma once

#include "model/history.h"
#include "operations/run.h"
#include "program/reaction.h"

namespace holdfast::op {

using Ending = Reaction::Ending;

void read_end(ReadSet& reads, const InstanceId& id);
// Returns the version that it ends with.
Version end_instance(View& view, const InstanceId& id, Ending ending, const Cause& cause);

}  // namespace holdfast::op
