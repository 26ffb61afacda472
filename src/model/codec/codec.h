// The JSON forms of model values, the same for the API, the command line, logs and stored answers.
#pragma once

#include <boost/json/value.hpp>

#include "base/result.h"
#include "model/checkpoint.h"
#include "model/conflict.h"
#include "model/definition.h"
#include "model/event.h"
#include "model/history.h"
#include "model/instance.h"
#include "model/journal.h"
#include "model/task.h"

namespace holdfast {

boost::json::object to_json(const BusinessReference& business);
Result<BusinessReference> business_from_json(const boost::json::value& value);

// Everything but the children; `state` and `stateMetadata` as values.
// Without its documents.
boost::json::object row_json(const Instance& instance);
boost::json::object to_json(const Instance& instance);
Result<Instance> instance_from_json(const boost::json::value& value);

boost::json::object to_json(const Children& children);
Result<Children> children_from_json(const boost::json::value& value);
boost::json::object to_json(const HistoryRow& row);
// With the value that it refers to.
boost::json::value payload_of(const HistoryRow& row);
boost::json::object to_json(const ConflictRow& row);
// With `state` and `stateMetadata`.
boost::json::object to_json(const Checkpoint& checkpoint);
Result<Checkpoint> checkpoint_from_json(const boost::json::value& value);
boost::json::object to_json(const Definition& definition);
// Null: nobody in particular.
boost::json::value user_json(const std::string& user);
// Groups and roles, if the caller has any, and the tenant, if it is not `default`.
void add_memberships(boost::json::object& object, const Caller& caller);
boost::json::object to_json(const Event& event);
boost::json::object to_json(const DeadEvent& dead);
// `value` or `error`, and the `winner` of a wait.
boost::json::object to_json(const JournalEntry& entry);

boost::json::object to_json(const TaskSpec& spec);
Result<TaskSpec> task_spec_from_json(const boost::json::value& value);
Result<HumanTask> task_from_json(const boost::json::value& value);
boost::json::object to_json(const HumanTask& task);
boost::json::object to_json(const TaskEvent& event);

// {names, until, workflows, since}
boost::json::object to_json(const Wait& wait);
Result<Wait> wait_from_json(const boost::json::value& value);

// A registered wait as canonical JSON, as it is stored.
std::string waiting_text(const Waiting& waiting);
// The text is one wait or a list of them.
Result<std::vector<Waiting>> waits_from_text(std::string_view text);

// Who moves an instance on and what its program keeps about it.
boost::json::object program_json(const Instance& instance);
Result<void> read_program(const boost::json::value& value, Instance& instance);
// The same as canonical JSON, as it is stored. Absent: an outside runner moves it on.
std::optional<std::string> program_text(const Instance& instance);
Result<void> read_program_text(std::string_view text, Instance& instance);

// null where absent.
boost::json::value to_json(const std::optional<Moment>& moment);
template <class Tag>
boost::json::value to_json(const std::optional<Id<Tag>>& id) {
    return id ? boost::json::value(to_string(*id)) : boost::json::value(nullptr);
}

}  // namespace holdfast
