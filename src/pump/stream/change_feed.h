// The newest part of the stream of changes, read once for all who follow it on this node: after a
// commit here, an announcement of another node, or a heartbeat that saw more. Without followers, or
// while nothing happens, it reads nothing. A follower of one workflow or definition is woken for
// its records only.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "round/commit_listener.h"
#include "store/hints.h"
#include "store/reads.h"

namespace holdfast {

struct FeedRecord {
    StreamPosition position;  // behind the record
    Moment at;
    StreamRecord record;
};
using FeedRecords = std::vector<std::shared_ptr<const FeedRecord>>;

// In order, those behind a position.
FeedRecords feed_records(const StreamPage& page, const StreamPosition& after);
// Of a query for what is behind a position: the round of a place within it is read again.
std::uint64_t read_after(const StreamPosition& position);

// What a follower hears of: all, what happens to one workflow, or to those of one definition.
struct Topic {
    std::optional<InstanceId> workflow = {};
    std::optional<std::string> definition = {};  // key

    auto operator<=>(const Topic&) const = default;
};

// Safe from any thread.
class ChangeFeed final : public CommitListener {
public:
    // Called when there is more: must neither block nor throw.
    using Wake = std::function<void()>;
    struct Hooks {
        std::function<void()> announce_follower;  // the first one has come
    };

    // Keeps so many records in memory for its followers.
    explicit ChangeFeed(std::size_t most_kept = 65'536) : most_kept_(most_kept) {}

    void start(Reads& reads, Hints& hints, Hooks hooks);
    void stop();

    using Ticket = std::uint64_t;
    Ticket follow(Wake wake, Topic topic = {});
    void unfollow(Ticket ticket);

    struct Part {
        FeedRecords records;     // not more than asked for; of other topics too
        StreamPosition reached;  // there is no other record of the topic up to here
    };
    // Absent: the position is before what is kept in memory, or nothing is.
    std::optional<Part> after(const StreamPosition& position, std::size_t limit,
                              const Topic& topic = {}) const;

    void committed(const Touched& touched) override;
    // Another node announced changes, or announcements may have been missed.
    void look_now();
    // A heartbeat's view: the last position that was given.
    void note_newest(std::uint64_t position);

    // How often it read the store.
    std::size_t reads() const;

private:
    using Clock = std::chrono::steady_clock;
    using Kept = std::deque<std::shared_ptr<const FeedRecord>>;
    struct Follower {
        std::shared_ptr<Wake> wake;
        Topic topic;
    };
    // The newest records of a topic that somebody follows.
    struct Shelf {
        std::set<Ticket> followers;
        std::uint64_t begin = 0;  // it has all that is behind this position
        Kept kept = {};
    };

    void run(Reads& reads, const std::stop_token& stop);
    bool wait_for_work(const std::stop_token& stop);
    // Reads what is new. Absent: all of it; otherwise when to look again.
    Result<std::optional<Clock::time_point>> read_once(Reads& reads);
    void add_locked(const StreamPage& page, std::uint64_t from);
    Part part_of(const Kept& kept, const StreamPosition& position, std::size_t limit) const;
    enum class Wanted { all, touched };
    void wake(Wanted wanted);

    const std::size_t most_kept_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::map<Ticket, Follower> followers_;
    std::map<Topic, Shelf> shelves_;  // but that of everything
    std::set<Ticket> touched_;        // to be woken
    Ticket next_ticket_ = 0;
    bool look_ = false;
    std::optional<Clock::time_point> look_at_;
    bool open_ = false;        // `kept_` has all records from `begin_` to `end_`
    std::uint64_t begin_ = 0;  // positions
    std::uint64_t end_ = 0;
    Kept kept_;
    std::chrono::milliseconds pause_{0};  // before a round that is on its way is looked for again
    std::size_t reads_ = 0;
    Hints* hints_ = nullptr;
    Hooks hooks_;
    std::jthread thread_;
};

}  // namespace holdfast
