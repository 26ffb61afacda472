// Where the server's count of microseconds begins.
#pragma once

#include "base/time/moment.h"

namespace holdfast::postgres {

constexpr Moment server_epoch = std::chrono::sys_days{std::chrono::year{2000} / 1 / 1};

}  // namespace holdfast::postgres
