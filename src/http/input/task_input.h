// Reading requests about human tasks: which one, who asks, what for.
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

// Who acts: `user` and `groups` of the body. They are taken at their word while the server knows no
// people, only its token.
Result<Person> read_person(const boost::json::object& body);
// The name of a user or a group. Absent: the member is missing or null.
Result<std::optional<std::string>> read_who(const boost::json::object& body, std::string_view name);

Result<op::CreateTask> read_create_task(const Request& request, IdSource& ids);

struct TaskList {
    TaskQuery query;
    std::string filters;  // what the cursor is bound to
};
Result<TaskList> read_task_list(const Request& request);

}  // namespace holdfast::http
