// Whether a server keeps what it acknowledges (I36).
#pragma once

#include "base/result.h"
#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// refused: a setting is weaker than a commit needs; the error names it.
Result<void> check_durability(const Address& address);

}  // namespace holdfast::postgres
