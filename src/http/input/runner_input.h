// What a runner sends with every request: run and index (001.20), and the lease of a worker.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "http/wire/message.h"
#include "operations/run.h"

namespace holdfast::http {

// `run`, at least 1, and `index`, both required; `lease` if a worker holds one.
Result<op::Run> read_run(const boost::json::object& body);
Result<std::uint64_t> read_run_number(const boost::json::object& body);
Result<std::optional<Lease>> read_lease(const boost::json::object& body);

}  // namespace holdfast::http
