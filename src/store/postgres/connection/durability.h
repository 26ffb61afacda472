// Checks that the server does not lose acknowledged changes (I36).
#pragma once

#include "base/result.h"
#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// refused: a setting is too weak; the error names it.
Result<void> check_durability(const Address& address);

}  // namespace holdfast::postgres
