// The query string of the workflow list as a query.
#pragma once

#include <string>

#include "base/result.h"
#include "http/wire/message.h"
#include "store/query.h"

namespace holdfast::http {

struct ListQuery {
    InstanceQuery query;
    std::string filters;  // what the cursor is bound to: everything but limit and cursor
};

// invalid_argument or malformed_json: a parameter that is unknown, given twice, or not of its form.
Result<ListQuery> read_list_query(const Request& request);

}  // namespace holdfast::http
