// How commands print: JSON for programs, text for people.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "app/exit_code.h"
#include "holdfast/client_values.h"

namespace holdfast::app {

enum class Format {
    text,
    json,   // indented
    jsonl,  // one line per value
};

// Two spaces per level, one line per element, empty containers on one line.
std::string indented(const boost::json::value& value);

// On standard output; Format::text is indented too.
void print(Format format, const boost::json::value& value);
void print_line(std::string_view text);

// A workflow for people: a line per fact, then its documents.
std::string described(const client::Workflow& workflow);
// A workflow on one line.
std::string summarized(const client::Workflow& workflow);

// On standard error, with what to do next. The code to exit with.
ExitCode report(const Error& error);
ExitCode report(const client::Failure& failure);
// The current version and state: on standard output as JSON, or on standard error for people.
ExitCode report(const client::Conflict& conflict, Format format);

}  // namespace holdfast::app
