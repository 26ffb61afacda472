// What an outside runner says in every request: where it believes the instance to be (001.20).
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "http/wire/message.h"
#include "operations/run.h"

namespace holdfast::http {

// `run`, from 1 on, and `index`; both required.
Result<op::Run> read_run(const boost::json::object& body);
Result<std::uint64_t> read_run_number(const boost::json::object& body);

}  // namespace holdfast::http
