// Responses for the outcomes of operations on human tasks.
#pragma once

#include "http/wire/message.h"
#include "operations/tasks/complete_task.h"
#include "operations/tasks/create_task.h"

namespace holdfast::http {

// With its ETag.
Response task_response(int status, const HumanTask& task);

Response respond_to(const op::TaskChanged& changed);
Response respond_to(const op::TaskUnchanged& unchanged);
Response respond_to(const op::NoTask&);
// Each of these, except MissingOutputs, carries the current task and its ETag.
Response respond_to(const op::TaskEnded& ended);
Response respond_to(const op::StaleTask& stale);
Response respond_to(const op::TaskHeld& held);
Response respond_to(const op::NotHolder& refused);
Response respond_to(const op::NotCandidate& refused);
Response respond_to(const op::MissingOutputs& missing);

}  // namespace holdfast::http
