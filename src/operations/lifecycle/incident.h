// Incidents: an instance that cannot go on until somebody has looked at it.
#pragma once

#include <string>

#include "store/view.h"

namespace holdfast::op {

// {reason}, or null: nobody said why.
std::string reason_payload(const std::string& reason);

void raise_incident(View& view, const InstanceId& id, std::string code, const std::string& detail,
                    const Cause& cause);

}  // namespace holdfast::op
