// What the surroundings of the engine can do for it.
#pragma once

namespace holdfast::engine {

struct Settings {
    // Scripts are jobs, in whatever language they are: for cases whose scripts are words.
    bool hands_over_work = false;
};

}  // namespace holdfast::engine
