// Responses for the refusals that several routes share.
#pragma once

#include "http/wire/message.h"
#include "operations/lifecycle/start.h"
#include "operations/refusals.h"
#include "operations/run.h"
#include "operations/state/restore.h"

namespace holdfast::http {

Response respond_to(const op::NotFound&);
Response respond_to(const op::Quarantined&);
Response respond_to(const op::Ended& ended);
// 409 with the current version, state and ETag (I15).
Response respond_to(const op::Stale& stale);
Response respond_to(const op::InvalidState& invalid);
Response respond_to(const op::DisabledDefinition& disabled);
Response respond_to(const op::NoCheckpoint& missing);
// 409 with the instance's current run and index (001.20).
Response respond_to(const op::Overtaken& overtaken);

// A JSON body with the ETag of its version.
Response versioned(int status, Version version, const boost::json::object& body);

}  // namespace holdfast::http
