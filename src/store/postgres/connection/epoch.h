// The epoch of PostgreSQL timestamps.
#pragma once

#include "base/time/moment.h"

namespace holdfast::postgres {

constexpr Moment server_epoch = std::chrono::sys_days{std::chrono::year{2000} / 1 / 1};

}  // namespace holdfast::postgres
