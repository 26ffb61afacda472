#include "store/view.h"

#include <algorithm>
#include <set>

#include "program/kinds.h"

namespace holdfast {

bool InstanceChange::document_changed() const {
    if (!after) return false;
    if (!before) return !after->state.is_empty_object() || !after->state_metadata.is_empty_object();
    // A repair may keep the text and change only the checksum.
    const auto differ = [](const Document& a, const Document& b) {
        return a != b || a.checksum() != b.checksum();
    };
    return differ(before->state, after->state) ||
           differ(before->state_metadata, after->state_metadata);
}

bool InstanceChange::keeps_identity() const {
    return before && after && before->definition == after->definition &&
           before->business == after->business && before->started_by == after->started_by &&
           before->parent == after->parent && before->created_at == after->created_at &&
           before->execution_started_at == after->execution_started_at;
}

ChildrenDiff InstanceChange::children() const {
    static const Children none;
    return diff(before ? before->children : none, after ? after->children : none);
}

bool Changes::empty() const {
    return instances.empty() && history->empty() && conflicts->empty() && definitions->empty() &&
           checkpoints.empty() && answers.empty() && mail->empty() && steps.empty() &&
           winners.empty() && values.empty() && cleared_journals->empty() && signals->empty() &&
           continuations.empty() && tasks->empty();
}

View::View(const ReadSet& reads, Loaded loaded)
    : reads_(reads),
      now_(loaded.now),
      lineages_(std::move(loaded.lineages)),
      newest_(std::move(loaded.newest)),
      definitions_(std::move(loaded.definitions)),
      states_(std::move(loaded.states)),
      checkpoints_(std::move(loaded.checkpoints)),
      answers_(std::move(loaded.answers)),
      mail_(reads, std::move(loaded.mail), undo_),
      signals_(reads, std::move(loaded.signals), undo_),
      tasks_(reads, std::move(loaded.tasks), undo_),
      steps_(std::move(loaded.steps)),
      winners_(std::move(loaded.winners)),
      values_(std::move(loaded.values)),
      completions_(std::move(loaded.completions)),
      children_(std::move(loaded.children)),
      under_keys_(std::move(loaded.under_keys)) {
    for (const auto& [id, need] : reads.instances()) instances_.try_emplace(instances_.end(), id);
    for (const auto& [key, definition] : newest_)
        definitions_.emplace(TenantRef{definition->tenant, definition->ref}, definition);
    for (auto& [id, row] : loaded.instances) {
        InstanceChange& change = instances_[id];  // waiters are loaded although no read names them
        change.before = std::move(row.instance);
        // Some stores give more than was asked for: nobody may rely on that.
        const auto need = reads.instances().find(id);
        const Depth depth = need == reads.instances().end() ? Depth::row : need->second.depth;
        if (depth == Depth::row) {
            change.before->state.mark_unread();
            change.before->state_metadata.mark_unread();
        }
        if (depth != Depth::whole) change.before->children = {};
        change.after = change.before;
        change.corrupt = row.corrupt;
        change.misplaced = row.misplaced;
    }
}

std::any View::compute_or_find(Computation computation) {
    if (computed_)
        if (const auto known = computed_->find(computation.key); known != computed_->end())
            return known->second;
    const std::uint64_t left = effort_in_round - std::min(effort_spent_, effort_in_round);
    Effort effort(std::min(left, effort_in_operation));
    std::any result = computation.run(effort);
    effort_spent_ += std::min(effort.spent(), effort.limit());
    if (!effort.is_exhausted()) return result;
    LoadMore more;
    more.compute = std::make_shared<const Computation>(std::move(computation));
    throw more;
}

void View::save() {
    HF_ASSERT(!changes_, "no operation is decided after the difference was taken");
    undo_.save();
}

const InstanceChange& View::entry(const InstanceId& id) const {
    const auto found = instances_.find(id);
    if (found != instances_.end()) return found->second;
    LoadMore more;
    more.also.instance(id, Depth::row);
    throw more;
}

void View::expect(const ReadSet& needed) const {
    if (!reads_.covers(needed)) throw LoadMore{needed};
}

void View::expect_depth(const InstanceId& id, Depth depth) const {
    const InstanceChange& change = entry(id);
    if (depth == Depth::row || !change.before || change.cleared) return;  // made in this round
    ReadSet needed;
    needed.instance(id, depth);
    expect(needed);
}

InstanceChange& View::touch(const InstanceId& id) {
    auto& change = const_cast<InstanceChange&>(entry(id));
    if (std::exchange(change.saved, undo_.savepoint()) == undo_.savepoint()) return change;
    const InstanceMarks marks = change;
    if (change.dirty)
        undo_.add([&change, marks, after = change.after]() mutable {
            static_cast<InstanceMarks&>(change) = marks;
            change.after = std::move(after);
        });
    else
        undo_.add([&change, marks] {
            static_cast<InstanceMarks&>(change) = marks;
            change.after = change.before;
        });
    return change;
}

const Instance* View::find(const InstanceId& id) const {
    const InstanceChange& change = entry(id);
    return change.after && may_find(change.after->tenant) ? &*change.after : nullptr;
}

bool View::is_foreign(const InstanceId& id) const {
    if (may_find({})) return false;
    if (const InstanceChange& change = entry(id); change.after)
        return !may_find(change.after->tenant);
    const auto past = lineages_.find(id);
    return past != lineages_.end() && !may_find(past->second.tenant);
}

KnownEvent View::known_event(const EventId& id) const {
    KnownEvent known = mail_.known(id);
    const std::string* tenant = known.tenant();
    return tenant && may_find(*tenant) ? known : KnownEvent{};
}

Instance& View::edit(const InstanceId& id) {
    InstanceChange& change = touch(id);
    HF_ASSERT(change.after.has_value(), "an edited instance exists");
    if (!change.dirty) ++change.after->rev;
    change.dirty = true;
    return *change.after;
}

Instance& View::insert(Instance instance) {
    InstanceChange& change = touch(instance.id);
    HF_ASSERT(!change.after, "an inserted id is free");
    const auto past = lineages_.find(instance.id);
    instance.version = past == lineages_.end() ? 0 : past->second.version;
    instance.history_hash = past == lineages_.end() ? Digest{} : past->second.hash;
    instance.rev = change.before ? change.before->rev + 1 : instance.version + 1;
    change.after = std::move(instance);
    change.corrupt = false;
    change.dirty = true;
    return *change.after;
}

void View::clear(const InstanceId& id, const Cause& cause) {
    InstanceChange& change = touch(id);
    HF_ASSERT(change.after.has_value(), "a cleared instance exists");
    append(*change.after, {.type = HistoryType::cleared, .payload = "null", .cause = cause});
    undo_.assign(lineages_, id,
                 {change.after->version + 1, history_.back().hash, change.after->tenant});
    change.after.reset();
    change.cleared = true;
    change.dirty = true;
    const auto is_its = [&](const auto& item) { return item.first.first == id; };
    undo_.erase_if(checkpoints_, is_its);
    undo_.erase_if(new_checkpoints_, is_its);
    undo_.erase_if(states_, is_its);
    forget_journal(id);
    if (!change.before) undo_.erase(cleared_journals_, id);  // it was never in the tables
    mail_.clear_inbox(id, now_);
    signals_.forget(id);
    tasks_.clear(id);
}

void View::forget_journal(const InstanceId& id) {
    const auto is_its = [&](const auto& item) { return item.first.first == id; };
    undo_.erase_if(steps_, is_its);
    undo_.erase_if(winners_, is_its);
    undo_.erase_if(new_steps_, is_its);
    undo_.erase_if(new_winners_, is_its);
}

void View::accept(Instance& instance, Entry entry) {
    append(instance, std::move(entry));
    ++instance.version;
    instance.history_hash = history_.back().hash;
    instance.updated_at = now_;
    if (instance.status == Status::suspended) undo_.emplace(slept_, instance.id);
}

void View::execute(Instance& instance, Entry entry) {
    accept(instance, std::move(entry));
    instance.last_executed_by = node_;
    instance.last_executed_at = now_;
}

void View::append(const Instance& instance, Entry entry) {
    HistoryRow row{.instance = instance.id,
                   .version = instance.version + 1,
                   .type = entry.type,
                   .payload = std::move(entry.payload),
                   .state_metadata = std::move(entry.state_metadata),
                   .cause = std::move(entry.cause),
                   .at = now_,
                   .shared_value = entry.shared_value};
    row.cause.caller.tenant = instance.tenant;
    row.hash = chain(instance.history_hash, row);
    undo_.append(history_, std::move(row));
}

const Definition* View::newest_definition(const TenantKey& key) const {
    if (const auto found = newest_.find(key); found != newest_.end()) return found->second.get();
    if (reads_.definitions().contains(key)) return nullptr;
    LoadMore more;
    more.also.definition(key);
    throw more;
}

const Definition* View::definition(const Instance& instance) const {
    const auto found = definitions_.find({instance.tenant, instance.definition});
    return found == definitions_.end() ? nullptr : found->second.get();
}

const Definition* View::definition(const TenantRef& wanted) const {
    const auto found = definitions_.find(wanted);
    if (found != definitions_.end()) return found->second.get();
    if (reads_.definition_versions().contains(wanted)) return nullptr;
    LoadMore more;
    more.also.definition_version(wanted);
    throw more;
}

// An instance may have been written under a definition that nobody has put.
const Program& View::program(const Instance& instance) const {
    if (const Definition* found = definition(instance)) return *found->program;
    return program_without_definition(instance);
}

void View::add(std::shared_ptr<const Definition> definition) {
    undo_.assign(newest_, {definition->tenant, definition->ref.key}, definition);
    undo_.assign(definitions_, {definition->tenant, definition->ref}, definition);
    undo_.append(new_definitions_, std::move(definition));
}

const Checkpoint* View::checkpoint(const InstanceId& id, const std::string& name) const {
    const auto fresh = new_checkpoints_.find({id, name});
    if (fresh != new_checkpoints_.end()) return &fresh->second;
    const auto found = checkpoints_.find({id, name});
    if (found != checkpoints_.end()) return &found->second;
    if (reads_.checkpoints().contains({id, name})) return nullptr;
    LoadMore more;
    more.also.checkpoint(id, name);
    throw more;
}

void View::put(Checkpoint checkpoint) {
    const ReadSet::CheckpointName key{checkpoint.instance, checkpoint.name};
    undo_.assign(new_checkpoints_, key, std::move(checkpoint));
}

std::optional<StateAt> View::state_at(const InstanceId& id, Version version) const {
    const Instance* instance = find(id);
    if (!instance || version == 0 || version > instance->version) return std::nullopt;
    if (!reads_.states().contains({id, version})) {
        LoadMore more;
        more.also.state_at(id, version);
        throw more;
    }
    std::optional<StateAt> found;
    const auto loaded = states_.find({id, version});
    if (loaded != states_.end()) found = loaded->second;
    // Rows of this round count as history: a fold gives the same result as one round per operation.
    for (const HistoryRow& row : history_) {
        if (row.instance != id || row.version > version) continue;
        if (row.type == HistoryType::cleared) found.reset();
        if (!carries_state(row.type)) continue;
        if (!found) found.emplace();
        found->state = Document::trusted(row.payload, sha256(row.payload));
        if (row.state_metadata)
            found->state_metadata =
                Document::trusted(*row.state_metadata, sha256(*row.state_metadata));
    }
    return found;
}

const KeyedOutcome* View::answer(const TenantKey& client_key) const {
    const auto fresh = new_answers_.find(client_key);
    if (fresh != new_answers_.end()) return &fresh->second;
    const auto found = answers_.find(client_key);
    if (found != answers_.end()) return &found->second;
    if (reads_.answers().contains(client_key)) return nullptr;
    LoadMore more;
    more.also.answer(client_key);
    throw more;
}

void View::put(KeyedOutcome answer) {
    const TenantKey key = answer.key;
    undo_.assign(new_answers_, key, std::move(answer));
}

void View::add(ConflictRow conflict) {
    conflict.caller.tenant = find(conflict.instance)->tenant;
    undo_.append(conflicts_, std::move(conflict));
}

const Waiting* View::current(const WaitRow& row) const {
    const auto found = instances_.find(row.instance);
    if (found == instances_.end() || !found->second.after) return nullptr;
    if (!may_find(found->second.after->tenant)) return nullptr;
    return find_wait(registered_waits(*found->second.after), row.token);
}

const Step* View::step(const InstanceId& id, std::uint64_t index) const {
    if (const auto fresh = new_steps_.find({id, index}); fresh != new_steps_.end())
        return &fresh->second;
    if (const auto found = steps_.find({id, index}); found != steps_.end()) return &found->second;
    expect_step(id, index);
    return nullptr;
}

const Winner* View::winner(const InstanceId& id, std::uint64_t index) const {
    if (const auto fresh = new_winners_.find({id, index}); fresh != new_winners_.end())
        return &fresh->second;
    if (const auto found = winners_.find({id, index}); found != winners_.end())
        return &found->second;
    expect_step(id, index);
    return nullptr;
}

void View::expect_step(const InstanceId& id, std::uint64_t index) const {
    if (reads_.steps().contains({id, index})) return;
    LoadMore more;
    more.also.step(id, index);
    throw more;
}

void View::share(const Document& value) { undo_.emplace(new_values_, value.checksum(), value); }

std::optional<Document> View::shared_value(const Digest& digest) const {
    for (const auto* values : {&new_values_, &values_})
        if (const auto found = values->find(digest); found != values->end()) return found->second;
    if (reads_.values().contains(digest)) return std::nullopt;
    LoadMore more;
    more.also.value(digest);
    throw more;
}

void View::record(Step step) {
    if (has_shared_value(step)) share(step.value);
    const std::pair key{step.instance, step.index};
    HF_ASSERT(undo_.emplace(new_steps_, key, std::move(step)).second,
              "I23: an index is recorded once");
}

void View::record(Winner winner) {
    const std::pair key{winner.instance, winner.index};
    HF_ASSERT(undo_.emplace(new_winners_, key, std::move(winner)).second,
              "I6: one winner per index");
}

void View::clear_journal(const InstanceId& id) {
    forget_journal(id);
    undo_.emplace(cleared_journals_, id);
}

std::optional<std::vector<WaitRow>> View::completion_waiters(const InstanceId& id) const {
    const auto loaded = completions_.find(id);
    if (loaded == completions_.end() || (loaded->second.more && !is_crowd(loaded->second))) {
        LoadMore more;
        more.also.completion_waiters(id);
        throw more;
    }
    if (loaded->second.more) return std::nullopt;
    std::vector<WaitRow> waiters;
    const auto add = [&](const std::vector<WaitRow>& rows) {
        std::ranges::copy_if(rows, std::back_inserter(waiters),
                             [this](const WaitRow& row) { return is_current(row); });
    };
    add(loaded->second.items);
    if (const auto found = fresh_completions_.find(id); found != fresh_completions_.end())
        add(found->second);
    std::ranges::sort(waiters, began_before);
    // A wait that was registered again in this round is listed twice.
    const auto again = std::ranges::unique(waiters, {}, &WaitRow::token);
    waiters.erase(again.begin(), again.end());
    return waiters;
}

void View::register_wait(const InstanceId& id, const Waiting& waiting) {
    mail_.register_wait(*find(id), waiting);
    for (const InstanceId& awaited : waiting.wait.workflows)
        undo_.append(fresh_completions_[awaited], row_of(id, waiting));
}

std::vector<InstanceId> View::under_key(const BusinessKeyRef& key) const {
    const auto loaded = under_keys_.find(key);
    if (loaded == under_keys_.end()) {
        LoadMore more;
        more.also.under_key(key);
        throw more;
    }
    std::set<InstanceId, std::greater<>> ids(loaded->second.begin(), loaded->second.end());
    // Changes of this round count as stored.
    for (const auto& [id, change] : instances_) {
        if (!change.dirty) continue;
        const bool is_its = change.after && change.after->tenant == key.tenant &&
                            change.after->definition.key == key.definition &&
                            change.after->business.key == key.key;
        if (is_its)
            ids.insert(id);
        else
            ids.erase(id);
    }
    std::vector<InstanceId> newest(ids.begin(), ids.end());
    if (newest.size() > most_under_key) newest.resize(most_under_key);
    return newest;
}

std::optional<std::vector<InstanceId>> View::children(const InstanceId& parent) const {
    const auto loaded = children_.find(parent);
    if (loaded == children_.end() || (loaded->second.more && !is_crowd(loaded->second))) {
        LoadMore more;
        more.also.children(parent);
        throw more;
    }
    if (loaded->second.more) return std::nullopt;
    std::set<InstanceId> ids(loaded->second.items.begin(), loaded->second.items.end());
    // Changes of this round count as stored.
    for (const auto& [id, change] : instances_) {
        if (!change.dirty) continue;
        if (change.after && change.after->parent == parent)
            ids.insert(id);
        else
            ids.erase(id);
    }
    return std::vector(ids.begin(), ids.end());
}

}  // namespace holdfast
