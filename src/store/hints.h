// The seam of hints between nodes.
#pragma once

#include <functional>
#include <stop_token>

#include "base/result.h"
#include "store/nodes.h"

namespace holdfast {

// Whether a node has readers of the stream of changes.
enum class Following { no, yes };

class Hints {
public:
    virtual ~Hints() = default;

    // Sends a hint to other nodes. It may be lost; on an embedded store it does nothing.
    virtual Result<void> announce(const Announcement& announcement) = 0;
    // Whether this node wants to hear of every change from now on; the next heartbeat says so.
    virtual void follow_changes(Following) {}
    // Passes the announcements of other nodes to `received` until `stop`, or until the connection
    // is lost. Calls `listening` once no announcement can be missed any more: the caller looks at
    // everything then. An embedded store returns at once.
    virtual Result<void> listen(const std::function<void()>& listening,
                                const std::function<void(const Announcement&)>& received,
                                std::stop_token stop) = 0;
};

}  // namespace holdfast
