// Workflows as people read them: what one waits for, who runs it, and a table of many.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "app/commands/output.h"
#include "base/time/moment.h"

namespace holdfast::app {

// A workflow as text: one line per field, why it stands where it does, then its documents.
Lines described_workflow(const boost::json::object& workflow, Moment now);
// One row for each workflow of a list.
Table table_of(const boost::json::array& workflows, Moment now);
// "3m": how long ago, or until then; empty: not a time.
std::string age_of(const std::string& time, Moment now);

}  // namespace holdfast::app
