// The only source of "now" outside a database. Tests and the simulation drive their own.
#pragma once

#include "base/moment.h"

namespace holdfast {

class Clock {
public:
    virtual ~Clock() = default;
    virtual Moment now() const = 0;
};

class SystemClock final : public Clock {
public:
    Moment now() const override {
        return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    }
};

}  // namespace holdfast
