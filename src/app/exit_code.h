// Exit codes, mapped from errors and from HTTP statuses.
#pragma once

#include "base/result.h"

namespace holdfast::app {

enum class ExitCode { ok = 0, failed = 1, usage = 2, conflict = 3, not_found = 4 };

ExitCode exit_code_of(ErrorCode code);
ExitCode exit_code_of_status(int http_status);

}  // namespace holdfast::app
