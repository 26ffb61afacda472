// Reads the file with the bearer token, for the server and for the commands.
#pragma once

#include <string>

#include "base/result.h"

namespace holdfast::app {

// The token: one line of visible ASCII; a final line end is not part of it. invalid_argument: the
// file cannot be read, is empty, has something that no header can carry, or may be written by
// everybody. The message says what to do.
Result<std::string> read_token_file(const std::string& path);

}  // namespace holdfast::app
