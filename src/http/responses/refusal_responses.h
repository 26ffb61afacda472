// The refusals that several routes share, as responses.
#pragma once

#include "http/wire/message.h"
#include "operations/refusals.h"
#include "operations/run.h"
#include "operations/state/restore.h"

namespace holdfast::http {

Response respond_to(const op::NotFound&);
Response respond_to(const op::Quarantined&);
Response respond_to(const op::Ended& ended);
// 409 with the version and state that are there instead, and their ETag (I15).
Response respond_to(const op::Stale& stale);
Response respond_to(const op::InvalidState& invalid);
Response respond_to(const op::NoCheckpoint& missing);
// 409 with the place where the instance is instead (001.20).
Response respond_to(const op::Overtaken& overtaken);

// A body with the ETag of its version.
Response versioned(int status, Version version, const boost::json::object& body);

}  // namespace holdfast::http
