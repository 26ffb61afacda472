// The form of a store's URL.
#pragma once

#include <string>

#include "base/result.h"

namespace holdfast {

// invalid_argument: open_store would not know which store is meant. It opens nothing.
Result<void> check_store_url(const std::string& url);

}  // namespace holdfast
