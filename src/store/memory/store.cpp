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
        if (query.tenant && event.tenant != *query.tenant) continue;
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

void MemoryStore::read(const AnyQuestion& question) {
    answer_by([this](const auto& query) { return answer(query); }, question);
}

Result<std::optional<FoundInstance>> MemoryStore::answer(const FindInstance& query) {
    const std::lock_guard lock(mutex_);
    const auto found = tables_.instances.find(query.id);
    if (found == tables_.instances.end()) return std::nullopt;
    const Loaded::Row row = row_for(query.id, found->second);
    FoundInstance instance{row.instance, row.corrupt, {}};
    if (query.depth != Depth::row) instance.active_task = memory::active_task(tables_, query.id);
    return instance;
}

Result<std::vector<Instance>> MemoryStore::answer(const FindRows& query) {
    std::vector<Instance> rows;
    for (const InstanceId& id : query.ids) {
        HF_TRY(auto found, answer(FindInstance{id, Depth::row}));
        if (found) rows.push_back(std::move(found->instance));
    }
    return rows;
}

namespace {

// Pages through instances in one direction.
class PageOfInstances {
public:
    explicit PageOfInstances(const InstanceQuery& query)
        : query_(query), matcher_(query), effort_(query.budget.effort) {}

    // Whether the page goes on.
    template <class Row>
    Result<bool> look_at(const InstanceId& id, const Row& stored) {
        const Instance& instance = stored.instance;
        effort_.spend(1);
        const bool match =
            matcher_.matches_row(instance) && matcher_.matches_documents(instance, effort_);
        if (match) bytes_ += bytes_of(instance, query_.content);
        page_.partial =
            effort_.is_exhausted() || (bytes_ > query_.budget.bytes && !page_.items.empty());
        if (page_.partial && !last_) return std::unexpected(too_much_effort());
        if (page_.partial || (match && page_.items.size() == query_.limit)) {
            page_.next = to_string(*last_);
            return false;
        }
        if (match) {
            const Loaded::Row row = row_for(id, stored);
            page_.items.push_back({row.instance, row.corrupt, {}});
        }
        if (match && query_.content == PageContent::rows)
            drop_documents(page_.items.back().instance);
        last_ = id;
        return true;
    }

    InstancePage finish() && {
        page_.effort = effort_.spent();
        return std::move(page_);
    }

private:
    const InstanceQuery& query_;
    const InstanceMatcher matcher_;
    Effort effort_;
    InstancePage page_;
    std::size_t bytes_ = 0;
    std::optional<InstanceId> last_;  // that was looked at
};

}  // namespace

Result<InstancePage> MemoryStore::answer(const InstanceQuery& query) {
    const std::lock_guard lock(mutex_);
    std::optional<InstanceId> cursor;
    if (query.cursor) {
        cursor = parse_id<InstanceId>(*query.cursor);
        if (!cursor)
            return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
    }
    PageOfInstances page(query);
    bool goes_on = true;
    const auto& all = tables_.instances;
    if (query.order == PageOrder::oldest_first) {
        for (auto at = cursor ? all.upper_bound(*cursor) : all.begin(); goes_on && at != all.end();
             ++at) {
            HF_TRY(goes_on, page.look_at(at->first, at->second));
        }
    } else {
        const auto end = cursor ? all.lower_bound(*cursor) : all.end();
        for (auto at = std::make_reverse_iterator(end); goes_on && at != all.rend(); ++at) {
            HF_TRY(goes_on, page.look_at(at->first, at->second));
        }
    }
    return std::move(page).finish();
}

Result<Standing> MemoryStore::answer(const FindStanding& query) {
    const std::lock_guard lock(mutex_);
    Standing standing;
    if (const auto id = tables_.continuations.find(query.id); id != tables_.continuations.end())
        standing.continuation = tables_.queue.at(id->second);
    const auto begin = tables_.history.lower_bound({query.id, 0});
    for (auto row = begin; row != tables_.history.end() && row->first.first == query.id; ++row)
        if (row->second.type == HistoryType::incident_raised) standing.incident = row->second;
    return standing;
}

Result<std::uint64_t> MemoryStore::answer(const CountWaitsBefore& query) {
    const std::lock_guard lock(mutex_);
    return std::min(memory::waits_before(tables_, query), query.most);
}

Result<HistoryPage> MemoryStore::answer(const HistoryQuery& query) {
    const std::lock_guard lock(mutex_);
    HistoryPage page;
    std::size_t bytes = 0;
    for (auto row = tables_.history.lower_bound({query.instance, query.from});
         row != tables_.history.end() && row->first.first == query.instance; ++row) {
        HistoryRow shown = row->second;
        if (const auto digest = std::exchange(shown.shared_value, std::nullopt))
            if (const auto found = tables_.values.find(*digest); found != tables_.values.end())
                shown.value = found->second.value;
        bytes += shown.payload.size() + (shown.value ? shown.value->text().size() : 0);
        if (page.items.size() == query.limit ||
            (bytes > PageBudget{}.bytes && !page.items.empty())) {
            page.next = row->second.version;
            break;
        }
        page.items.push_back(std::move(shown));
    }
    const auto anchor = tables_.history_anchors.find(query.instance);
    if (anchor != tables_.history_anchors.end()) page.anchor = anchor->second;
    return page;
}

Result<ConflictPage> MemoryStore::answer(const ConflictQuery& query) {
    const std::lock_guard lock(mutex_);
    ConflictPage page;
    const auto end =
        query.before ? tables_.conflicts.lower_bound(*query.before) : tables_.conflicts.end();
    for (auto at = std::make_reverse_iterator(end); at != tables_.conflicts.rend(); ++at) {
        const ConflictRow& row = at->second;
        if (query.tenant && row.caller.tenant != *query.tenant) continue;
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

Result<CheckpointPage> MemoryStore::answer(const CheckpointQuery& query) {
    const std::lock_guard lock(mutex_);
    CheckpointPage page;
    std::size_t bytes = 0;
    for (auto at = tables_.checkpoints.lower_bound({query.instance, query.after});
         at != tables_.checkpoints.end() && at->first.first == query.instance; ++at) {
        if (at->first.second == query.after) continue;
        Checkpoint found = at->second;
        if (query.content == PageContent::rows) found.state = found.state_metadata = Document{};
        bytes += found.state.text().size() + found.state_metadata.text().size();
        if (page.items.size() == query.limit ||
            (bytes > query.budget.bytes && !page.items.empty())) {
            page.next = page.items.back().name;
            break;
        }
        page.items.push_back(std::move(found));
    }
    return page;
}

Result<std::shared_ptr<const Definition>> MemoryStore::answer(const FindDefinition& query) {
    const std::lock_guard lock(mutex_);
    const auto& [key, version] = query.ref;
    const std::uint32_t highest = version ? version : ~std::uint32_t{0};
    auto after = tables_.definitions.upper_bound({query.tenant, {key, highest}});
    if (after == tables_.definitions.begin()) return nullptr;
    const auto& [found, definition] = *std::prev(after);
    const bool wanted = found.tenant == query.tenant && found.ref.key == key &&
                        (version == 0 || found.ref.version == version);
    return wanted ? definition : nullptr;
}

Result<KnownEvent> MemoryStore::answer(const FindEvent& query) {
    const std::lock_guard lock(mutex_);
    return known_event(tables_, query.id);
}

Result<PendingPage> MemoryStore::answer(const PendingEventQuery& query) {
    const std::lock_guard lock(mutex_);
    return page_of<PendingPage>(tables_.pending, query.events, std::identity{});
}

Result<DeadPage> MemoryStore::answer(const DeadEventQuery& query) {
    const std::lock_guard lock(mutex_);
    return page_of<DeadPage>(tables_.dead, query.events,
                             [](const DeadEvent& dead) -> const Event& { return dead.event; });
}

Result<std::optional<JournalEntry>> MemoryStore::answer(const FindJournalEntry& query) {
    const std::lock_guard lock(mutex_);
    const auto step = tables_.steps.find({query.instance, query.index});
    if (step == tables_.steps.end()) return std::nullopt;
    JournalEntry entry{step->second, std::nullopt};
    if (const auto winner = tables_.winners.find({query.instance, query.index});
        winner != tables_.winners.end())
        entry.winner = winner->second;
    return entry;
}

Result<DueTimers> MemoryStore::answer(const FindDueTimers& query) {
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
    const std::size_t due = std::min<std::size_t>(query.limit, later - timers.due.begin());
    if (due < timers.due.size()) timers.next = timers.due[due].due;
    timers.due.resize(due);
    return timers;
}

Result<std::optional<HumanTask>> MemoryStore::answer(const FindTask& query) {
    const std::lock_guard lock(mutex_);
    const auto found = tables_.tasks.find(query.id);
    if (found == tables_.tasks.end()) return std::nullopt;
    return found->second;
}

Result<TaskPage> MemoryStore::answer(const TaskQuery& query) {
    const std::lock_guard lock(mutex_);
    return page_of_tasks(tables_, query);
}

Result<TaskEventPage> MemoryStore::answer(const TaskEventQuery& query) {
    const std::lock_guard lock(mutex_);
    TaskEventPage page;
    std::size_t bytes = 0;
    for (auto at = tables_.task_events.lower_bound({query.task, query.from});
         at != tables_.task_events.end() && at->first.first == query.task; ++at) {
        bytes += at->second.detail.text().size();
        if (page.items.size() == query.limit ||
            (bytes > query.budget.bytes && !page.items.empty())) {
            page.next = at->second.version;
            break;
        }
        page.items.push_back(at->second);
    }
    return page;
}

Result<std::vector<IndexState>> MemoryStore::answer(const ListIndexes&) {
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
