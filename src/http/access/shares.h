// How many streams and long polls each credential has open: one that leaks them leaves room for the
// others.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "http/access/identity.h"

namespace holdfast::http {

enum class Share { stream, poll };

struct ShareLimits {
    std::size_t streams = 64;
    std::size_t polls = 128;
};

// Safe from any thread.
class Shares {
public:
    explicit Shares(ShareLimits limits = {}) : limits_(limits) {}

    // What a user of a credential has open counts until this is gone. Null: it has as many as it
    // may have. Who is nobody in particular has no limit of its own.
    using Taken = std::shared_ptr<const void>;
    Taken take(const Identity& identity, Share what);
    std::size_t limit(Share what) const {
        return what == Share::stream ? limits_.streams : limits_.polls;
    }
    // How many users of credentials have something open.
    std::size_t count() const;

private:
    using Owner = std::pair<std::string, Share>;
    struct Open {
        std::mutex mutex;
        std::map<Owner, std::size_t> counts;
    };

    const ShareLimits limits_;
    const std::shared_ptr<Open> open_ = std::make_shared<Open>();  // what is open may outlive this
};

}  // namespace holdfast::http
