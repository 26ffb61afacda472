#include "store/memory/signals.h"

#include <algorithm>
#include <set>

namespace holdfast::memory {
namespace {

void insert(Tables& tables, const SignalRow& row) {
    tables.queue.insert_or_assign(row.id, row);
    if (row.type == SignalType::internal_continue) tables.continuations[row.instance] = row.id;
}

void erase(Tables& tables, const SignalId& id) {
    const auto found = tables.queue.find(id);
    if (found == tables.queue.end()) return;
    if (found->second.type == SignalType::internal_continue)
        tables.continuations.erase(found->second.instance);
    tables.queue.erase(found);
}

KnownSignal known_signal(const Tables& tables, const SignalId& id) {
    KnownSignal known;
    if (const auto found = tables.queue.find(id); found != tables.queue.end()) {
        known.queued = found->second;
        known.lease_valid = found->second.leased_by && is_alive(tables, *found->second.leased_by);
    }
    if (const auto found = tables.schedule.find(id); found != tables.schedule.end())
        known.scheduled = found->second;
    if (const auto found = tables.dead_letters.find(id); found != tables.dead_letters.end())
        known.dead = found->second;
    for (const auto& [key, at] : tables.processed)
        if (key.second == id) known.processed = key.first;
    return known;
}

// The schedule and the dead letters store no lease.
ScheduledSignal as_stored(ScheduledSignal scheduled) {
    SignalRow& row = scheduled.signal;
    row.visible_at = scheduled.due_at;
    row.leased_by.reset();
    row.epoch = 0;
    row.attempts = 0;
    return scheduled;
}

DeadLetter as_stored(DeadLetter letter) {
    letter.signal.visible_at = {};
    letter.signal.leased_by.reset();
    return letter;
}

// Whether the wait, or the instance itself, is one that the signals go to.
bool is_meant(const SignalChanges::FanOut& fan_out, const Instance& instance,
              const Waiting& waiting) {
    if (const auto* awaiting = std::get_if<SignalChanges::Awaiting>(&fan_out.to)) {
        const auto& names = waiting.wait.names;
        return instance.tenant == awaiting->channel.tenant &&
               std::ranges::find(names, awaiting->channel.event) != names.end();
    }
    const auto* end = std::get_if<SignalChanges::AwaitingEnd>(&fan_out.to);
    const auto& workflows = waiting.wait.workflows;
    return end && std::ranges::find(workflows, end->instance) != workflows.end();
}

void fan_out(Tables& tables, const SignalChanges::FanOut& fan_out) {
    const auto send = [&](const InstanceId& to, const Uuid& target) {
        const SignalId id = fan_out_id(fan_out.operation, target);
        if (tables.queue.contains(id)) return;
        insert(tables, {.id = id,
                        .instance = to,
                        .type = fan_out.type,
                        .enqueued_at = fan_out.at,
                        .visible_at = fan_out.at,
                        .envelope = fan_out.envelope.with(id, TokenId{target}, to)});
    };
    const auto* parent = std::get_if<SignalChanges::ChildrenOf>(&fan_out.to);
    for (const auto& [id, row] : tables.instances) {
        if (parent && row.instance.parent == parent->instance && is_open(row.instance.status))
            send(id, id.value);
        for (const Waiting& waiting : registered_waits(row.instance))
            if (is_meant(fan_out, row.instance, waiting)) send(id, waiting.token.value);
    }
}

using Arrival = std::pair<Moment, SignalId>;
Arrival arrival_of(const SignalRow& row) { return {row.enqueued_at, row.id}; }

bool can_run(const std::optional<std::string>& program, const std::vector<std::string>& programs) {
    return !program || std::ranges::find(programs, *program) != programs.end();
}

// The rows that are not behind an older one of their instance, oldest first.
std::vector<const SignalRow*> heads(const Tables& tables) {
    std::map<InstanceId, const SignalRow*> oldest;
    std::vector<const SignalRow*> rows;
    for (const auto& [id, row] : tables.queue) {
        if (!is_ordered(row.type)) {
            rows.push_back(&row);
            continue;
        }
        const SignalRow*& first = oldest[row.instance];
        if (!first || arrival_of(row) < arrival_of(*first)) first = &row;
    }
    for (const auto& [id, row] : oldest) rows.push_back(row);
    std::ranges::sort(rows, {}, [](const SignalRow* row) { return arrival_of(*row); });
    return rows;
}

// When a node may claim it. Absent: the node holds it already.
std::optional<Moment> free_at(const Tables& tables, const SignalRow& row, const NodeId& node) {
    if (!row.leased_by) return row.visible_at;
    const auto holder = tables.nodes.find(*row.leased_by);
    if (holder == tables.nodes.end()) return row.visible_at;
    if (row.leased_by == node) return std::nullopt;
    return std::max(row.visible_at, holder->second.lease_until);
}

void enqueue_due(Tables& tables) {
    std::vector<std::pair<Moment, SignalId>> due;
    for (const auto& [id, scheduled] : tables.schedule)
        if (scheduled.due_at <= tables.latest) due.emplace_back(scheduled.due_at, id);
    std::ranges::sort(due);
    due.resize(std::min(due.size(), most_moved));
    for (const auto& [due_at, id] : due) {
        SignalRow row = tables.schedule.at(id).signal;
        row.visible_at = due_at;
        insert(tables, row);
        tables.schedule.erase(id);
    }
}

}  // namespace

bool is_alive(const Tables& tables, const NodeId& node) {
    const auto found = tables.nodes.find(node);
    return found != tables.nodes.end() && found->second.lease_until > tables.latest;
}

void load_signals(const Tables& tables, const ReadSet& reads, Loaded& loaded) {
    for (const SignalId& id : reads.signals())
        loaded.signals.signals[id] = known_signal(tables, id);
    for (const InstanceId& id : reads.continuations()) {
        KnownSignal& known = loaded.signals.continuations[id];
        const auto found = tables.continuations.find(id);
        if (found != tables.continuations.end()) known = known_signal(tables, found->second);
    }
}

Result<void> check_signals(const Tables& tables, const Changes& changes) {
    const auto& continuations = changes.continuations;
    const auto goes = [&](const SignalRow& row) {
        return changes.signals->consumed.contains(row.id) ||
               (row.type == SignalType::internal_continue &&
                std::ranges::binary_search(continuations.deleted, row.instance));
    };
    const auto is_taken = [&](const SignalId& id) {
        const auto found = tables.queue.find(id);
        return found != tables.queue.end() && !goes(found->second);
    };
    for (const SignalRow& row : continuations.inserted) {
        const bool has = tables.continuations.contains(row.instance) &&
                         !std::ranges::binary_search(continuations.deleted, row.instance);
        if (has || is_taken(row.id))
            return fail(ErrorCode::refused, "the instance already has a continuation");
    }
    for (const auto& [id, row] : changes.signals->enqueued)
        if (is_taken(id)) return fail(ErrorCode::refused, "the signal is already queued");
    for (const auto& [id, signal] : changes.signals->scheduled)
        if (tables.schedule.contains(id))
            return fail(ErrorCode::refused, "the signal is already scheduled");
    return {};
}

std::size_t count_signal_rows(const Changes& changes) {
    const SignalChanges& signals = *changes.signals;
    const ContinuationChanges& continuations = changes.continuations;
    return signals.enqueued.size() + signals.scheduled.size() + signals.consumed.size() +
           signals.processed.size() + signals.unburied.size() + signals.buried.size() +
           signals.fan_outs.size() + continuations.inserted.size() + continuations.deleted.size() +
           continuations.progressed.size();
}

void apply_signals(Tables& tables, const Changes& changes) {
    const SignalChanges& signals = *changes.signals;
    for (const InstanceId& id : changes.continuations.deleted)
        if (const auto found = tables.continuations.find(id); found != tables.continuations.end())
            erase(tables, SignalId{found->second});
    for (const auto& [id, letter] : signals.unburied) tables.dead_letters.erase(id);
    for (const auto& [id, letter] : signals.buried)
        tables.dead_letters.emplace(id, as_stored(letter));
    for (const SignalId& id : signals.consumed) erase(tables, id);
    for (const InstanceChange* change : changes.instances)
        if (change->cleared && change->before) erase_signals_of(tables, change->before->id);
    for (const SignalRow& row : changes.continuations.inserted) insert(tables, row);
    for (const InstanceId& id : changes.continuations.progressed)
        if (const auto found = tables.continuations.find(id); found != tables.continuations.end())
            tables.queue.at(found->second).attempts = 1;
    for (const auto& [id, row] : signals.enqueued) insert(tables, row);
    for (const auto& [id, signal] : signals.scheduled)
        tables.schedule.emplace(id, as_stored(signal));
    for (const ProcessedSignal& row : signals.processed)
        tables.processed.emplace(std::pair{row.instance, row.signal}, row.at);
    for (const auto& wanted : signals.fan_outs) fan_out(tables, wanted);
}

std::size_t erase_signals_of(Tables& tables, const InstanceId& id) {
    tables.continuations.erase(id);
    return std::erase_if(tables.queue,
                         [&](const auto& item) { return item.second.instance == id; }) +
           std::erase_if(tables.schedule,
                         [&](const auto& item) { return item.second.signal.instance == id; }) +
           std::erase_if(tables.processed,
                         [&](const auto& item) { return item.first.first == id; });
}

Claimed claim(Tables& tables, const Claim& claim,
              const std::function<bool(const SignalId&)>& is_locked) {
    Claimed claimed{.now = tables.latest};
    if (!is_alive(tables, claim.node)) return claimed;
    enqueue_due(tables);
    for (const SignalRow* head : heads(tables)) {
        if (claimed.signals.size() == claim.limit) break;
        if (!can_run(head->program, claim.programs)) continue;
        if (!head->program && claim.anyones == AnyonesSignals::left) continue;
        const auto free = free_at(tables, *head, claim.node);
        if (!free || *free > tables.latest) continue;
        if (is_locked && is_locked(head->id)) continue;
        SignalRow& row = tables.queue.at(head->id);
        row.leased_by = claim.node;
        ++row.epoch;
        ++row.attempts;
        claimed.signals.push_back(row);
    }
    claimed.next = claimable_at(tables, claim.node, claim.programs);
    return claimed;
}

void leave(Tables& tables, const NodeId& node,
           const std::function<bool(const SignalId&)>& is_locked) {
    tables.nodes.erase(node);
    for (auto& [id, row] : tables.queue) {
        if (row.leased_by != node || (is_locked && is_locked(id))) continue;
        row.leased_by.reset();
        if (row.attempts > 0) --row.attempts;
    }
}

std::optional<Moment> claimable_at(const Tables& tables, const NodeId& node,
                                   const std::vector<std::string>& programs) {
    std::optional<Moment> earliest;
    const auto consider = [&](Moment moment) {
        if (!earliest || moment < *earliest) earliest = moment;
    };
    for (const SignalRow* row : heads(tables))
        if (const auto free = free_at(tables, *row, node); free && can_run(row->program, programs))
            consider(*free);
    for (const auto& [id, scheduled] : tables.schedule)
        if (can_run(scheduled.signal.program, programs)) consider(scheduled.due_at);
    return earliest;
}

std::optional<Moment> earliest_timer(const Tables& tables) {
    std::optional<Moment> earliest;
    for (const auto& [id, row] : tables.instances) {
        const auto until = summary_of(registered_waits(row.instance)).until;
        if (until && (!earliest || *until < *earliest)) earliest = until;
    }
    return earliest;
}

namespace {

bool has_incident(const Tables& tables, const InstanceId& id) {
    const auto found = tables.instances.find(id);
    return found != tables.instances.end() && found->second.instance.incident;
}

}  // namespace

Backlog backlog_of(const Tables& tables, const CountBacklog& query) {
    Backlog found{.now = tables.latest};
    const auto bounded = [&](std::size_t count) {
        return std::min<std::uint64_t>(count, query.most);
    };
    std::map<std::pair<std::string, std::string>, std::uint64_t> open;
    std::size_t incidents = 0;
    std::size_t timers = 0;
    for (const auto& [id, row] : tables.instances) {
        const Instance& instance = row.instance;
        incidents += instance.incident;
        for (const Waiting& waiting : registered_waits(instance))
            timers += waiting.wait.until.has_value();
        if (is_open(instance.status))
            ++open[{instance.definition.key, std::string(name_of(instance.status))}];
    }
    for (const auto& [group, count] : open)
        found.open.push_back({group.first, group.second, count});
    std::ranges::stable_sort(found.open, std::greater(), &Backlog::Open::count);
    if (found.open.size() > query.groups) found.open.resize(query.groups);
    found.incidents = bounded(incidents);
    found.tasks = bounded(static_cast<std::size_t>(std::ranges::count_if(
        tables.tasks, [](const auto& row) { return is_open(row.second.state); })));
    found.dead_letters = bounded(tables.dead_letters.size());
    found.dead_events = bounded(tables.dead.size());
    found.signals = bounded(tables.queue.size());
    for (const auto& [id, row] : tables.queue)
        if (!row.leased_by)
            found.oldest_signal =
                std::min(found.oldest_signal.value_or(row.visible_at), row.visible_at);
    found.timers = bounded(timers);
    found.next_timer = earliest_timer(tables);
    return found;
}

StrandedPage find_stranded(const Tables& tables, const FindStranded& query) {
    StrandedPage page{.now = tables.latest};
    std::set<std::string> served;
    for (const auto& [id, node] : tables.nodes)
        if (is_alive(tables, id)) served.insert(node.programs.begin(), node.programs.end());
    std::size_t looked = 0;
    const auto& queue = tables.queue;
    for (auto at = query.after ? queue.upper_bound(*query.after) : queue.begin(); at != queue.end();
         ++at) {
        const SignalRow& row = at->second;
        if (row.type != SignalType::internal_continue) continue;
        const bool leased = row.leased_by && is_alive(tables, *row.leased_by);
        if (!leased && !served.contains(*row.program))
            page.items.push_back({row.id, row.instance, *row.program, row.visible_at,
                                  has_incident(tables, row.instance)});
        if (++looked < query.look_at) continue;
        page.next = row.id;
        break;
    }
    return page;
}

}  // namespace holdfast::memory
