// Command output: JSON for programs, text for people.
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

// A workflow as text: one line per field, then its documents.
std::string described(const client::Workflow& workflow);
// A workflow on one line.
std::string summarized(const client::Workflow& workflow);

// Prints the error and what to do next on standard error; returns the exit code.
ExitCode report(const Error& error);
ExitCode report(const client::Failure& failure);
// Prints the current version and state: JSON on standard output, text on standard error.
ExitCode report(const client::Conflict& conflict, Format format);

}  // namespace holdfast::app
