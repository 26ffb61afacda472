// Why a workflow stands where it does: who runs it, what is tried again, its incident, its
// children and jobs.
#pragma once

#include <boost/json/object.hpp>

#include "http/access/identity.h"
#include "store/store.h"
#include "store/tenant_reads.h"

namespace holdfast::http {

// A bounded number of look-ups by key. Nodes are asked of the store: they belong to nobody.
// Children of definitions that the credential does not reach are left out.
Result<boost::json::object> why_of(Store& store, const TenantReads& reads, const Identity& identity,
                                   const Instance& instance);

// A job as lists show it.
boost::json::object job_json(const SignalRow& row);

}  // namespace holdfast::http
