// The streams of changes that clients read: each follows the node's feed, and reads the store while
// it is behind. None holds a thread, and what none of them reads costs nothing.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/threads/worker_pool.h"
#include "http/access/key_ring.h"
#include "http/access/shares.h"
#include "http/wire/message.h"
#include "pump/stream/change_feed.h"

namespace holdfast::http {

// What a client wants to hear of.
struct StreamFilter {
    std::string tenant;
    std::optional<std::string> definition;
    std::optional<std::string> business_key;
    std::optional<InstanceId> workflow;
    std::vector<RecordKind> kinds;  // empty: all
    // The stream ends when this key is not valid any more. Null: it does not depend on a key.
    KeyRing* keys = nullptr;
    std::string key = {};
    Shares::Taken share = {};  // of the credential; given back when the stream ends

    bool takes(const StreamRecord& record) const;
};

// A record as JSON on one line, and as one event of the stream, with its empty line.
std::string record_json(const FeedRecord& record);
std::string event_text(const FeedRecord& record);

// Safe from any thread. Outlives the server and the workers.
class ChangeStreams {
public:
    // Called with the reason when the server ends a stream.
    using Ended = std::function<void(std::string_view)>;

    ChangeStreams(ChangeFeed& feed, Reads& reads, WorkerPool& workers, Ended ended,
                  std::size_t limit);

    // Responds with the stream behind `position`; absent: from now on. 410: what is behind it may
    // be deleted, or the position was never given; 429: too many streams are open.
    void start(StreamFilter filter, std::optional<StreamPosition> position, Respond respond);
    // How many are open.
    std::size_t count() const { return *count_; }

private:
    class Stream;

    Response open(StreamFilter filter, std::optional<StreamPosition> position);
    void ended(std::string_view reason);

    ChangeFeed& feed_;
    Reads& reads_;
    WorkerPool& workers_;
    const Ended ended_;
    const std::size_t limit_;
    const std::shared_ptr<std::atomic<std::size_t>> count_;  // a stream may outlive this
};

}  // namespace holdfast::http
