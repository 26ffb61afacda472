// The table of routes as an OpenAPI 3.1 document.
#pragma once

#include <boost/json/object.hpp>

#include "http/router.h"

namespace holdfast::http {

// Listed routes only, by path.
boost::json::object openapi_of(const Router& router);

}  // namespace holdfast::http
