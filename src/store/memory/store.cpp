#include "store/memory/store.h"

#include "store/memory/mail.h"
#include "store/memory/tasks.h"
#include "store/memory/writer.h"

namespace holdfast::memory {
namespace {

template <class Page, class Map, class EventOf>
Page page_of(const Map& map, const EventQuery& query, EventOf event_of) {
    Page page;
    std::size_t bytes = 0;
    for (auto at = query.after ? map.upper_bound(*query.after) : map.begin(); at != map.end();
         ++at) {
        const Event& event = event_of(at->second);
        if (query.name && event.name != *query.name) continue;
        if (query.target && event.target != query.target) continue;
        bytes += event.value.text().size();
        if (page.items.size() == query.limit ||
            (bytes > query.budget.bytes && !page.items.empty())) {
            page.next = event_of(page.items.back()).id;
            break;
        }
        page.items.push_back(at->second);
    }
    return page;
}

}  // namespace

Result<std::unique_ptr<Store>> MemoryStore::open(const StoreOptions& options) {
    return std::unique_ptr<Store>(new MemoryStore(options));
}

Result<std::unique_ptr<Writer>> MemoryStore::open_writer() {
    return std::make_unique<MemoryWriter>(*this);
}

Result<std::optional<FoundInstance>> MemoryStore::find(const InstanceId& id, Depth depth) {
    const std::lock_guard lock(mutex_);
    const auto found = tables_.instances.find(id);
    if (found == tables_.instances.end()) return std::nullopt;
    const Loaded::Row row = row_for(id, found->second);
    FoundInstance instance{row.instance, row.corrupt, {}};
    if (depth != Depth::row) instance.active_task = memory::active_task(tables_, id);
    return instance;
}

Result<InstancePage> MemoryStore::search(const InstanceQuery& query) {
    const std::lock_guard lock(mutex_);
    auto end = tables_.instances.end();
    if (query.cursor) {
        const auto before = parse_id<InstanceId>(*query.cursor);
        if (!before)
            return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
        end = tables_.instances.lower_bound(*before);
    }
    InstancePage page;
    const InstanceMatcher matcher(query);
    Effort effort(query.budget.effort);
    std::size_t bytes = 0;
    std::optional<InstanceId> last;  // that was looked at
    for (auto at = std::make_reverse_iterator(end); at != tables_.instances.rend(); ++at) {
        const Instance& instance = at->second.instance;
        effort.spend(1);
        const bool match =
            matcher.matches_row(instance) && matcher.matches_documents(instance, effort);
        if (match) bytes += bytes_of(instance, query.content);
        page.partial = effort.is_exhausted() || (bytes > query.budget.bytes && !page.items.empty());
        if (page.partial && !last) return std::unexpected(too_much_effort());
        if (page.partial || (match && page.items.size() == query.limit)) {
            page.next = to_string(*last);
            break;
        }
        if (match) {
            const Loaded::Row row = row_for(at->first, at->second);
            page.items.push_back({row.instance, row.corrupt, {}});
        }
        if (match && query.content == PageContent::rows) drop_documents(page.items.back().instance);
        last = at->first;
    }
    page.effort = effort.spent();
    return page;
}

Result<HistoryPage> MemoryStore::history(const InstanceId& id, Version from, std::size_t limit) {
    const std::lock_guard lock(mutex_);
    HistoryPage page;
    std::size_t bytes = 0;
    for (auto row = tables_.history.lower_bound({id, from});
         row != tables_.history.end() && row->first.first == id; ++row) {
        HistoryRow shown = row->second;
        if (const auto digest = std::exchange(shown.shared_value, std::nullopt))
            if (const auto found = tables_.values.find(*digest); found != tables_.values.end())
                shown.value = found->second.value;
        bytes += shown.payload.size() + (shown.value ? shown.value->text().size() : 0);
        if (page.items.size() == limit || (bytes > PageBudget{}.bytes && !page.items.empty())) {
            page.next = row->second.version;
            break;
        }
        page.items.push_back(std::move(shown));
    }
    const auto anchor = tables_.history_anchors.find(id);
    if (anchor != tables_.history_anchors.end()) page.anchor = anchor->second;
    return page;
}

Result<ConflictPage> MemoryStore::conflicts(const ConflictQuery& query) {
    const std::lock_guard lock(mutex_);
    ConflictPage page;
    const auto end =
        query.before ? tables_.conflicts.lower_bound(*query.before) : tables_.conflicts.end();
    for (auto at = std::make_reverse_iterator(end); at != tables_.conflicts.rend(); ++at) {
        const ConflictRow& row = at->second;
        if (query.instance && row.instance != *query.instance) continue;
        if (query.resolution && row.resolution != *query.resolution) continue;
        if (page.items.size() == query.limit) {
            page.next = page.items.back().id;
            break;
        }
        page.items.push_back(row);
    }
    return page;
}

Result<std::vector<Checkpoint>> MemoryStore::checkpoints(const InstanceId& id) {
    const std::lock_guard lock(mutex_);
    std::vector<Checkpoint> found;
    for (auto at = tables_.checkpoints.lower_bound({id, ""});
         at != tables_.checkpoints.end() && at->first.first == id; ++at)
        found.push_back(at->second);
    std::ranges::stable_sort(found, {}, &Checkpoint::created_at);
    return found;
}

Result<std::shared_ptr<const Definition>> MemoryStore::definition(const DefinitionRef& ref) {
    const std::lock_guard lock(mutex_);
    const std::uint32_t highest = ref.version ? ref.version : ~std::uint32_t{0};
    auto after = tables_.definitions.upper_bound({ref.key, highest});
    if (after == tables_.definitions.begin()) return nullptr;
    const auto& [found, definition] = *std::prev(after);
    const bool wanted = found.key == ref.key && (ref.version == 0 || found.version == ref.version);
    return wanted ? definition : nullptr;
}

Result<KnownEvent> MemoryStore::event(const EventId& id) {
    const std::lock_guard lock(mutex_);
    return known_event(tables_, id);
}

Result<PendingPage> MemoryStore::pending_events(const EventQuery& query) {
    const std::lock_guard lock(mutex_);
    return page_of<PendingPage>(tables_.pending, query, std::identity{});
}

Result<DeadPage> MemoryStore::dead_events(const EventQuery& query) {
    const std::lock_guard lock(mutex_);
    return page_of<DeadPage>(tables_.dead, query,
                             [](const DeadEvent& dead) -> const Event& { return dead.event; });
}

Result<std::optional<JournalEntry>> MemoryStore::journal(const InstanceId& id,
                                                         std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    const auto step = tables_.steps.find({id, index});
    if (step == tables_.steps.end()) return std::nullopt;
    JournalEntry entry{step->second, std::nullopt};
    if (const auto winner = tables_.winners.find({id, index}); winner != tables_.winners.end())
        entry.winner = winner->second;
    return entry;
}

Result<DueTimers> MemoryStore::due_timers(std::size_t limit) {
    const std::lock_guard lock(mutex_);
    DueTimers timers{.now = std::max(tables_.latest, options_.clock->now())};
    for (const auto& [id, row] : tables_.instances)
        for (const Waiting& waiting : registered_waits(row.instance))
            if (waiting.wait.until) timers.due.push_back({id, waiting.token, *waiting.wait.until});
    std::ranges::sort(timers.due, {}, [](const DueTimer& timer) {
        return std::tuple{timer.due, timer.instance, timer.token};
    });
    const auto later = std::ranges::find_if(
        timers.due, [&](const DueTimer& timer) { return timer.due > timers.now; });
    const std::size_t due = std::min<std::size_t>(limit, later - timers.due.begin());
    if (due < timers.due.size()) timers.next = timers.due[due].due;
    timers.due.resize(due);
    return timers;
}

Result<std::optional<HumanTask>> MemoryStore::task(const TaskId& id) {
    const std::lock_guard lock(mutex_);
    const auto found = tables_.tasks.find(id);
    if (found == tables_.tasks.end()) return std::nullopt;
    return found->second;
}

Result<TaskPage> MemoryStore::tasks(const TaskQuery& query) {
    const std::lock_guard lock(mutex_);
    return page_of_tasks(tables_, query);
}

Result<std::vector<TaskEvent>> MemoryStore::task_events(const TaskId& id) {
    const std::lock_guard lock(mutex_);
    std::vector<TaskEvent> events;
    for (auto at = tables_.task_events.lower_bound({id, 0});
         at != tables_.task_events.end() && at->first.first == id; ++at)
        events.push_back(at->second);
    return events;
}

Result<std::vector<IndexState>> MemoryStore::indexes() {
    const std::lock_guard lock(mutex_);
    std::vector<IndexState> states;
    for (const auto& [path, ready] : tables_.index_paths) states.push_back({path, ready});
    return states;
}

Result<void> MemoryStore::build_indexes(std::stop_token) {
    const std::lock_guard lock(mutex_);
    for (auto& [path, ready] : tables_.index_paths) ready = true;
    return {};
}

void MemoryStore::swap_rows(const InstanceId& a, const InstanceId& b) {
    const std::lock_guard lock(mutex_);
    std::swap(tables_.instances.at(a), tables_.instances.at(b));
}

void MemoryStore::corrupt_state(const InstanceId& id) {
    const std::lock_guard lock(mutex_);
    Loaded::Row& row = tables_.instances.at(id);
    const Digest stored = row.instance.state.checksum();
    row.instance.state = Document::trusted("{\"rotten\":true}", stored);
    row.corrupt = true;
}

}  // namespace holdfast::memory
