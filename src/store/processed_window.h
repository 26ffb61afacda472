// How long a store recognises a signal that is sent again after it was acted on.
#pragma once

#include <algorithm>
#include <chrono>

#include "store/pruning.h"

namespace holdfast {

// Longer than whoever sends signals from outside repeats one (I18).
inline constexpr std::chrono::microseconds least_processed_window = std::chrono::days(30);

inline std::chrono::microseconds processed_window(const Prune& prune) {
    return std::max(prune.keep_records, least_processed_window);
}

}  // namespace holdfast
