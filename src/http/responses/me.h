// Who a request comes from, as JSON.
#pragma once

#include <boost/json/object.hpp>

#include "http/access/identity.h"

namespace holdfast::http {

boost::json::object me_json(const Identity& identity, const Caller& caller);

}  // namespace holdfast::http
