// The words by which somebody answers what a rehearsed process waits for, one line each:
//
//     complete ELEMENT {"outputs": ...}      a human task
//     job ELEMENT {"variables": ...}         a job; also: job ELEMENT error CODE, or fail TEXT
//     send NAME {"variables": ...}           a message; with a correlation key: send NAME/KEY
//     signal NAME {"variables": ...}         to everybody who waits
//     advance 15m                            the clock; without a time, to the next timer
//     retry ELEMENT                          what had an incident
//     set {"variables": ...}                 variables of the process
#pragma once

#include <string_view>

#include "node/rehearsal.h"

namespace holdfast {

// The first word of the text, which loses it and the spaces behind it.
std::string take_word(std::string_view& text);
// invalid_argument: not an object. An empty text is {}.
Result<boost::json::object> read_values(std::string_view text);

// invalid_argument: no such word. not_found: nothing waits for that.
Result<void> perform(Rehearsal& rehearsal, std::string_view line);

}  // namespace holdfast
