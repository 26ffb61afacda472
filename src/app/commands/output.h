// Command output: JSON for programs, text for people. Everything goes out line by line without
// control characters: text from a server cannot act on a terminal.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/exit_code.h"
#include "holdfast/client_values.h"

namespace holdfast::app {

enum class Format {
    text,
    json,   // indented
    jsonl,  // one line per value
};

using Lines = std::vector<std::string>;

// Two spaces per level, one line per element, empty containers on one line. The first line begins
// with `label`.
Lines indented(const boost::json::value& value, std::string label = {});

// On standard output; Format::text is indented too.
void print(Format format, const boost::json::value& value);
void print_line(std::string_view line);
void print_lines(const Lines& lines);
// Text with line ends of its own.
void print_text(const std::string& text);
// On standard error.
void print_error(std::string_view line);

struct Table {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
};

enum class Header { shown, left_out };

// Columns as wide as their widest cell; nothing if there is no row. Colors only on a terminal, and
// not if NO_COLOR is set.
void print_table(const Table& table, Header header = Header::shown);

// Prints the error and what to do next on standard error; returns the exit code.
ExitCode report(const Error& error);
ExitCode report(const client::Failure& failure);
// Prints the current version and state: JSON on standard output, text on standard error.
ExitCode report(const client::Conflict& conflict, Format format);

}  // namespace holdfast::app
