// Reads requests about human tasks.
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "base/result.h"
#include "http/wire/message.h"
#include "operations/tasks/create_task.h"
#include "store/query.h"

namespace holdfast {
class IdSource;
}

namespace holdfast::http {

Result<TaskId> read_task_id(const Request& request);

// The acting user: the caller, or `user` and `groups` of the body (see acting_as).
Result<Caller> read_actor(const Request& request, const boost::json::object& body);
// At most 100 distinct names; empty if the member is missing or null.
Result<std::vector<std::string>> read_names(const boost::json::object& body, std::string_view name);
// The name of a user or a group. Absent: the member is missing or null.
Result<std::optional<std::string>> read_who(const boost::json::object& body, std::string_view name);

Result<op::CreateTask> read_create_task(const Request& request, IdSource& ids);

struct TaskList {
    TaskQuery query;
    std::string filters;  // the cursor is bound to these
};
Result<TaskList> read_task_list(const Request& request);

}  // namespace holdfast::http
