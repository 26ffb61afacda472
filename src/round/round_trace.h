// Writes every successful round as one JSON line, to be read or replayed.
#pragma once

#include <boost/json/object.hpp>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time/moment.h"

namespace holdfast {

// Safe from any thread.
class RoundTrace {
public:
    static Result<std::unique_ptr<RoundTrace>> open(const std::string& path);

    // `now`: the time that the round's operations saw; `node`: where they ran.
    void write(Moment now, const std::string& node, std::vector<boost::json::object> operations);

private:
    explicit RoundTrace(std::ofstream file) : file_(std::move(file)) {}

    std::mutex mutex_;
    std::ofstream file_;
};

}  // namespace holdfast
