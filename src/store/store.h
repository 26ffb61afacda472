// The interface to durable state: seven seams. Every implementation passes the same contract suite;
// whoever needs one seam takes that one.
#pragma once

#include "store/audit.h"
#include "store/hints.h"
#include "store/keys.h"
#include "store/leases.h"
#include "store/reads.h"
#include "store/rounds.h"
#include "store/upkeep.h"

namespace holdfast {

class Store : public Rounds,
              public Reads,
              public Leases,
              public Hints,
              public Upkeep,
              public Keys,
              public Audit {};

}  // namespace holdfast
