#include "pump/stream/change_feed.h"

#include <algorithm>

#include "base/threads/threads.h"
#include "pump/outage.h"

namespace holdfast {
namespace {

using std::chrono::milliseconds;

// A round that was given a position ends within milliseconds, or with its connection.
constexpr milliseconds least_pause{5};
constexpr milliseconds most_pause{1'000};
// Of one topic; behind it, those of all are looked through.
constexpr std::size_t most_on_shelf = 1'024;

}  // namespace

std::uint64_t read_after(const StreamPosition& position) {
    const bool within = position.seen != StreamPosition::all && position.round > 0;
    return within ? position.round - 1 : position.round;
}

FeedRecords feed_records(const StreamPage& page, const StreamPosition& after) {
    FeedRecords records;
    for (const auto& [position, round] : page.rows) {
        std::uint64_t seen = 0;
        for (const StreamRecord& record : round.records) {
            const bool is_last = ++seen == round.records.size();
            const StreamPosition place{position, is_last ? StreamPosition::all : seen};
            if (place <= after) continue;
            records.push_back(std::make_shared<FeedRecord>(place, round.at, record));
        }
    }
    return records;
}

void ChangeFeed::start(Reads& reads, Hints& hints, Hooks hooks) {
    hints_ = &hints;
    hooks_ = std::move(hooks);
    thread_ = named_thread("feed", [&, this](const std::stop_token& stop) { run(reads, stop); });
}

void ChangeFeed::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

ChangeFeed::Ticket ChangeFeed::follow(Wake wake, Topic topic) {
    bool is_first = false;
    Ticket ticket = 0;
    {
        const std::lock_guard lock(mutex_);
        is_first = followers_.empty();
        ticket = ++next_ticket_;
        const auto [shelf, is_new] = shelves_.try_emplace(topic);
        if (is_new) shelf->second.begin = end_;
        shelf->second.followers.insert(ticket);
        followers_.emplace(ticket, Follower{std::make_shared<Wake>(std::move(wake)), topic});
        look_ = look_ || is_first;
        if (is_first && hints_) hints_->follow_changes(Following::yes);
    }
    changed_.notify_one();
    if (is_first && hooks_.announce_follower) hooks_.announce_follower();
    return ticket;
}

void ChangeFeed::unfollow(Ticket ticket) {
    const std::lock_guard lock(mutex_);
    const auto found = followers_.find(ticket);
    if (found == followers_.end()) return;
    const auto shelf = shelves_.find(found->second.topic);
    shelf->second.followers.erase(ticket);
    if (shelf->second.followers.empty()) shelves_.erase(shelf);
    followers_.erase(found);
    if (!followers_.empty()) return;
    if (hints_) hints_->follow_changes(Following::no);
    open_ = false;
    kept_.clear();
}

std::optional<ChangeFeed::Part> ChangeFeed::after(const StreamPosition& position, std::size_t limit,
                                                  const Topic& topic) const {
    const std::lock_guard lock(mutex_);
    if (!open_) return std::nullopt;
    if (const auto shelf = shelves_.find(topic); topic != Topic{} && shelf != shelves_.end() &&
                                                 position >= StreamPosition{shelf->second.begin})
        return part_of(shelf->second.kept, position, limit);
    if (position < StreamPosition{begin_}) return std::nullopt;
    return part_of(kept_, position, limit);
}

ChangeFeed::Part ChangeFeed::part_of(const Kept& kept, const StreamPosition& position,
                                     std::size_t limit) const {
    Part part{.records = {}, .reached = std::max(position, StreamPosition{end_})};
    const auto first = std::ranges::upper_bound(
        kept, position, {}, [](const auto& one) -> const auto& { return one->position; });
    const auto left = static_cast<std::size_t>(kept.end() - first);
    part.records.assign(first, first + static_cast<std::ptrdiff_t>(std::min(left, limit)));
    if (left > limit) part.reached = part.records.back()->position;
    return part;
}

void ChangeFeed::committed(const Touched& touched) {
    if (touched.told) look_now();
}

void ChangeFeed::look_now() {
    {
        const std::lock_guard lock(mutex_);
        if (followers_.empty() || look_) return;
        look_ = true;
    }
    changed_.notify_one();
}

void ChangeFeed::note_newest(std::uint64_t position) {
    {
        const std::lock_guard lock(mutex_);
        if (open_ && position <= end_) return;
    }
    look_now();
}

std::size_t ChangeFeed::reads() const {
    const std::lock_guard lock(mutex_);
    return reads_;
}

bool ChangeFeed::wait_for_work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const auto wanted = [this] { return look_; };
    if (look_at_)
        changed_.wait_until(lock, stop, *look_at_, wanted);
    else
        changed_.wait(lock, stop, wanted);
    look_ = false;
    look_at_.reset();
    return !followers_.empty();
}

void ChangeFeed::run(Reads& reads, const std::stop_token& stop) {
    Outage outage("feed");
    while (!stop.stop_requested()) {
        if (!wait_for_work(stop) || stop.stop_requested()) continue;
        const auto again = read_once(reads);
        if (again) outage.over();
        if (again && !*again) continue;
        const auto when = again ? **again : Clock::now() + outage.failed(again.error());
        const std::lock_guard lock(mutex_);
        look_at_ = when;
    }
}

Result<std::optional<ChangeFeed::Clock::time_point>> ChangeFeed::read_once(Reads& reads) {
    std::optional<std::uint64_t> from;
    {
        const std::lock_guard lock(mutex_);
        if (open_) from = end_;
        ++reads_;
    }
    HF_TRY(const auto page, reads.ask(StreamQuery{.after = from}));
    bool is_behind = false;
    {
        const std::lock_guard lock(mutex_);
        if (followers_.empty()) return std::nullopt;
        if (from && open_) add_locked(page, *from);
        if (!from) {
            begin_ = end_ = page.reached;
            for (auto& [topic, shelf] : shelves_) shelf = {std::move(shelf.followers), end_};
            open_ = true;
        }
        is_behind = page.newest > end_;
        const bool moved = !page.rows.empty() || !from;
        pause_ = moved ? milliseconds(0) : std::clamp(pause_ * 2, least_pause, most_pause);
    }
    wake(from ? Wanted::touched : Wanted::all);
    if (!is_behind) return std::nullopt;
    const std::lock_guard lock(mutex_);
    return Clock::now() + std::max(pause_, page.rows.empty() ? least_pause : milliseconds(0));
}

void ChangeFeed::add_locked(const StreamPage& page, std::uint64_t from) {
    const auto put = [this](const Topic& topic, const std::shared_ptr<const FeedRecord>& record) {
        const auto found = shelves_.find(topic);
        if (found == shelves_.end()) return;
        Shelf& shelf = found->second;
        touched_.insert(shelf.followers.begin(), shelf.followers.end());
        shelf.kept.push_back(record);
        if (shelf.kept.size() <= most_on_shelf) return;
        shelf.begin = shelf.kept.front()->position.round;
        shelf.kept.pop_front();
    };
    for (auto& record : feed_records(page, StreamPosition{from})) {
        put({.workflow = record->record.instance}, record);
        put({.definition = record->record.definition}, record);
        kept_.push_back(std::move(record));
    }
    if (const auto all = shelves_.find(Topic{}); all != shelves_.end())
        touched_.insert(all->second.followers.begin(), all->second.followers.end());
    end_ = std::max(end_, page.reached);
    for (; kept_.size() > most_kept_; kept_.pop_front()) begin_ = kept_.front()->position.round;
}

// Outside of the lock: a follower reads at once.
void ChangeFeed::wake(Wanted wanted) {
    std::vector<std::shared_ptr<Wake>> wakes;
    {
        const std::lock_guard lock(mutex_);
        if (wanted == Wanted::all)
            for (const auto& [ticket, follower] : followers_) touched_.insert(ticket);
        for (const Ticket ticket : touched_)
            if (const auto found = followers_.find(ticket); found != followers_.end())
                wakes.push_back(found->second.wake);
        touched_.clear();
    }
    for (const auto& wake : wakes) (*wake)();
}

}  // namespace holdfast
