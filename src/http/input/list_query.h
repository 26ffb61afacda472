// Reads the query string of the workflow list.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "http/wire/message.h"
#include "store/query.h"

namespace holdfast::http {

struct ListQuery {
    InstanceQuery query;
    std::string filters;  // the cursor is bound to these: everything but limit and cursor
};

// invalid_argument or malformed_json: a parameter that is unknown, repeated or malformed.
Result<ListQuery> read_list_query(const Request& request);

// The same filters without a request, as a bulk job keeps them.
Result<InstanceQuery> read_filters(const std::map<std::string, std::string>& filters);

}  // namespace holdfast::http
