#include "sim/judge.h"

#include <boost/json.hpp>

namespace holdfast::sim {
namespace {

namespace bj = boost::json;

class Judge {
public:
    Judge(const Ledger& ledger, const memory::Tables& tables) : ledger_(ledger), tables_(tables) {
        for (const auto& [key, row] : tables.history)
            by_operation_[row.cause.operation].push_back(&row);
    }

    std::vector<std::string> run() {
        found_ = ledger_.contradictions;
        for (const auto& [id, sent] : ledger_.events) event(id, sent);
        order();
        for (const auto& [id, row] : tables_.instances) instance(row.instance);
        tallies();
        for (const auto& [id, row] : tables_.instances)
            if (row.instance.definition.key == "race") race(row.instance);
        for (const auto& [id, one] : tables_.tasks) task(one);
        for (const ChangedTask& change : ledger_.tasks) changed_task(change);
        acknowledged();
        for (const SeenConflict& conflict : ledger_.conflicts) conflict_body(conflict);
        steps();
        for (const auto& [id, sent] : ledger_.signals) signal(id, sent);
        for (const AcceptedEdit& edit : ledger_.edits)
            expect(edit.version == edit.expected + 1,
                   "I14: an edit of version " + std::to_string(edit.expected) +
                       " was accepted as " + std::to_string(edit.version),
                   edit.instance);
        return std::move(found_);
    }

private:
    template <class SomeId>
    void expect(bool holds, const std::string& rule, const SomeId& about) {
        if (!holds) found_.push_back(rule + ": " + to_string(about));
    }

    const std::vector<FateRow>& fates(const EventId& id) const {
        static const std::vector<FateRow> none;
        const auto found = tables_.fates.find(id);
        return found == tables_.fates.end() ? none : found->second;
    }

    // One place for every event that was accepted, none for one that was refused (I2, I3).
    void event(const EventId& id, const SentEvent& sent) {
        const bool pending = tables_.pending.contains(id);
        const std::size_t places =
            (pending ? 1 : 0) + (tables_.dead.contains(id) ? 1 : 0) + fates(id).size();
        const bool maybe = sent.unanswered > 0 || sent.outcome_unknown;
        if (sent.accepted_by) expect(places > 0, "I2: an accepted event is lost", id);
        if (!sent.accepted_by && !sent.fanned_out && !maybe)
            expect(places == 0, "I2: a refused event is stored", id);
        const bool single = sent.event.keep == Keep::no && sent.event.fan_out == FanOut::one;
        if (single) expect(places <= 1, "I3: an event is in two places", id);
        std::set<InstanceId> got;
        for (const FateRow& fate : fates(id)) {
            if (!fate.instance) continue;
            expect(got.insert(*fate.instance).second, "I2: delivered twice to one instance", id);
            delivery(sent, fate);
        }
    }

    void delivery(const SentEvent& sent, const FateRow& fate) {
        const EventId& id = fate.event;
        if (sent.event.target && sent.event.on_target_ended != OnTargetEnded::broadcast)
            expect(*fate.instance == *sent.event.target, "an event reached another target", id);
        if (sent.event.expire_after && sent.accepted_by)
            expect(fate.at <= *sent.accepted_by + *sent.event.expire_after,
                   "001.8: delivered after it expired", id);
        // The journal agrees, unless a later run began with an empty one.
        const auto winner = tables_.winners.find({*fate.instance, fate.index});
        const auto row = tables_.instances.find(*fate.instance);
        if (row != tables_.instances.end() && row->second.instance.run == 1 &&
            row->second.instance.run_by != RunBy::rounds) {
            expect(winner != tables_.winners.end() && winner->second.name == fate.name,
                   "I6: a delivery without its winner", id);
        }
    }

    // Of two plain events to one target and key, the one that was accepted first comes first (I4).
    void order() {
        std::map<std::pair<InstanceId, EventKey>, std::vector<const SentEvent*>> lines;
        for (const auto& [id, sent] : ledger_.events) {
            const op::SendEvent& event = sent.event;
            const bool plain = event.target && event.keep == Keep::no && !event.expire_after &&
                               event.event_name.back() != '!' && sent.accepted_by;
            if (plain) lines[{*event.target, event.channel().event}].push_back(&sent);
        }
        for (const auto& [key, line] : lines)
            for (const SentEvent* earlier : line)
                for (const SentEvent* later : line)
                    if (*earlier->accepted_by < later->first_sent) in_order(*earlier, *later);
    }

    void in_order(const SentEvent& earlier, const SentEvent& later) {
        const FateRow* second = delivered_to_target(later);
        if (!second) return;
        expect(!tables_.pending.contains(earlier.event.event), "I4: a later event overtook",
               earlier.event.event);
        if (const FateRow* first = delivered_to_target(earlier))
            expect(first->at <= second->at, "I4: delivered out of order", earlier.event.event);
    }

    // A tally counted every event that it was given, once, and waits for both of its events.
    void tallies() {
        std::map<InstanceId, std::uint64_t> given;
        for (const auto& [event, rows] : tables_.fates)
            for (const FateRow& fate : rows)
                if (fate.instance && fate.name == "name-0") ++given[*fate.instance];
        for (const auto& [id, row] : tables_.instances) {
            const Instance& instance = row.instance;
            if (instance.definition.key != "tally") continue;
            const bj::value state = instance.state.value();
            expect(state.at("count").to_number<std::uint64_t>() == given[id],
                   "001.24: a tally did not count what it was given", id);
            std::multiset<std::string> awaited;
            for (const Waiting& waiting : instance.waits)
                for (const EventKey& key : waiting.wait.names) awaited.insert(key.name);
            expect(!is_open(instance.status) ||
                       awaited == std::multiset<std::string>{"name-0", "name-1"},
                   "001.24: a tally does not wait for both of its events", id);
        }
    }

    // Each of its two races has one winner, and what ended a wait moved the process once.
    void race(const Instance& instance) {
        std::map<std::string, std::uint64_t> moved;
        for (auto at = tables_.history.lower_bound({instance.id, 0});
             at != tables_.history.end() && at->first.first == instance.id; ++at)
            if (at->second.type == HistoryType::step_recorded)
                ++moved[std::string(bj::parse(at->second.payload).at("name").as_string())];
        const std::uint64_t won = moved["event name-0"] + moved["event name-1"] + moved["timer"];
        expect(moved["started"] == 1 && won <= 2 && moved["event name-0"] <= 1 &&
                   moved["event name-1"] <= 1,
               "a race has more than one winner", instance.id);
        expect(instance.status != Status::succeeded || won == 2, "a race ended without a winner",
               instance.id);
        expect(instance.status != Status::succeeded ||
                   instance.state.value().at("variables").as_object().contains("worked"),
               "a race ended without its job", instance.id);
        std::map<std::string, std::uint64_t> given;
        for (const auto& [event, rows] : tables_.fates)
            for (const FateRow& fate : rows)
                if (fate.instance == instance.id && fate.fate == EventFate::delivered)
                    ++given["event " + fate.name];
        for (const char* name : {"event name-0", "event name-1", "event name-2"})
            expect(given[name] == moved[name], "a race did not count what it was given",
                   instance.id);
    }

    // Its events have no gap, those who acted were allowed to, it ends once, and its end wakes its
    // workflow at most once (I8).
    void task(const HumanTask& task) {
        Version next = 1;
        bool ended = false;
        std::optional<std::string> holder;
        for (auto at = tables_.task_events.lower_bound({task.id, 0});
             at != tables_.task_events.end() && at->first.first == task.id; ++at, ++next) {
            const TaskEvent& event = at->second;
            expect(event.version == next, "I8: a gap in the events of a task", task.id);
            expect(!ended, "I8: a task was changed after its end", task.id);
            if (event.type == TaskEventType::claimed) {
                expect(!holder, "I8: a task was claimed while another held it", task.id);
                holder = event.caller.user;
            }
            if (event.type == TaskEventType::released || event.type == TaskEventType::completed)
                expect(holder && holder == event.caller.user, "I8: another than its holder acted",
                       task.id);
            if (event.type == TaskEventType::released) holder.reset();
            ended = event.type == TaskEventType::completed || event.type == TaskEventType::failed ||
                    event.type == TaskEventType::cancelled;
        }
        expect(ended == !is_open(task.state), "I8: a task and its events disagree", task.id);
        const std::string name = event_name_of(task.id);
        std::size_t told = 0;
        for (const auto& [id, event] : tables_.pending) told += event.name == name;
        for (const auto& [id, rows] : tables_.fates)
            for (const FateRow& fate : rows) told += fate.name == name;
        expect(told <= (ended ? 1 : 0), "I8: the end of a task was told twice", task.id);
        const auto row = tables_.instances.find(task.instance);
        if (row != tables_.instances.end() && !is_open(row->second.instance.status))
            expect(ended, "I8: an open task of an ended workflow", task.id);
    }

    void changed_task(const ChangedTask& change) {
        std::size_t found = 0;
        for (auto at = tables_.task_events.lower_bound({change.task, 0});
             at != tables_.task_events.end() && at->first.first == change.task; ++at)
            found += at->second.operation == change.cause.operation &&
                     at->second.caller == change.cause.caller;
        expect(found == 1, "I33: a change of a task was acknowledged and is not stored",
               change.task);
    }

    const FateRow* delivered_to_target(const SentEvent& sent) const {
        for (const FateRow& fate : fates(sent.event.event))
            if (fate.instance == sent.event.target) return &fate;
        return nullptr;
    }

    // Versions without a gap, hashes that chain, and waits that ended by one of their conditions.
    void instance(const Instance& instance) {
        Version next = 1;
        Digest hash{};
        std::optional<bj::object> wait;
        for (auto at = tables_.history.lower_bound({instance.id, 0});
             at != tables_.history.end() && at->first.first == instance.id; ++at, ++next) {
            const HistoryRow& row = at->second;
            expect(row.version == next, "I13: a gap in the versions", instance.id);
            expect(chain(hash, row) == row.hash, "I10: the history does not chain", instance.id);
            hash = row.hash;
            if (row.type == HistoryType::suspended) wait = payload(row);
            if (row.type == HistoryType::timers_cancelled && wait) (*wait)["until"] = nullptr;
            if (row.type == HistoryType::delivered) {
                // A suspend whose condition is already met adds no `suspended` row.
                if (ledger_.suspends.contains(row.cause.operation)) wait.reset();
                ended_wait(row, wait);
                wait.reset();
            }
            if (row.type == HistoryType::continued) wait.reset();
        }
        expect(instance.version == next - 1, "I13: the version is not the last one", instance.id);
        if (!is_open(instance.status))
            for (const auto& [id, event] : tables_.pending)
                expect(event.target != instance.id,
                       "001.9: queued for an ended instance" +
                           std::string(event.keep == Keep::yes ? " (kept)" : ""),
                       id);
    }

    static bj::object payload(const HistoryRow& row) { return bj::parse(row.payload).as_object(); }

    // The wait is that of the history, or that of a suspend whose condition was already met.
    void ended_wait(const HistoryRow& row, const std::optional<bj::object>& wait) {
        const bj::object delivered = payload(row);
        expect(!delivered.contains("repaired"), "I6: an instance had a winner and still waited",
               row.instance);
        const std::string_view type = delivered.at("type").as_string();
        if (type == "retry")
            expect(wait && wait->contains("attempt"),
                   "001.12: woken for a retry without an attempt", row.instance);
        if (type == "retry" || type == "cancelled") return;
        if (type == "timer") {
            const std::string_view due = delivered.at("value").at("due").as_string();
            const std::string_view reached = delivered.at("value").at("reached").as_string();
            expect(due <= reached, "I24: a timer came early", row.instance);
            if (wait)
                expect(wait->at("until").is_string() && wait->at("until").as_string() == due,
                       "I19: a timer ended a wait that did not set it", row.instance);
        }
        if (const auto asked = ledger_.suspends.find(row.cause.operation);
            asked != ledger_.suspends.end())
            return found_at_once(asked->second, delivered);
        if (!wait) return;
        expect(wait->at("index") == delivered.at("index"), "I19: another wait was ended",
               row.instance);
        if (type == "event")
            expect(names(*wait, "names", delivered), "001.6: an event that was not awaited",
                   row.instance);
        if (type == "workflow")
            expect(names(*wait, "workflows", delivered), "001.6: a workflow that was not awaited",
                   row.instance);
    }

    void found_at_once(const op::Suspend& asked, const bj::object& delivered) {
        const std::string_view name = delivered.at("name").as_string();
        const std::string_view type = delivered.at("type").as_string();
        bool awaited = type == "timer" && asked.wait.until.has_value();
        if (type == "event")
            awaited = std::ranges::find(asked.wait.names, name, &EventKey::name) !=
                      asked.wait.names.end();
        for (const InstanceId& id : asked.wait.workflows)
            awaited |= type == "workflow" && name == to_string(id);
        expect(awaited, "001.6: a suspend was woken by something that it did not wait for",
               asked.instance);
    }

    static bool names(const bj::object& wait, std::string_view list, const bj::object& delivered) {
        if (!wait.contains(list)) return false;  // the backoff before another attempt
        for (const bj::value& name : wait.at(list).as_array())
            if (name == delivered.at("name") ||
                (name.is_object() && name.at("name") == delivered.at("name")))
                return true;
        return false;
    }

    // Acknowledged operations are in the history, refused ones are not (I18, I33).
    void acknowledged() {
        for (const Acknowledged& ack : ledger_.acknowledged) {
            const auto rows = by_operation_.find(ack.operation);
            expect(rows != by_operation_.end(), "I33: acknowledged and not stored", ack.instance);
            if (rows == by_operation_.end() || !ack.version) continue;
            expect(std::ranges::any_of(rows->second,
                                       [&](const HistoryRow* row) {
                                           return row->instance == ack.instance &&
                                                  row->version == *ack.version;
                                       }),
                   "I33: acknowledged with another version", ack.instance);
        }
        for (const OperationId& operation : ledger_.refused)
            expect(!by_operation_.contains(operation), "I18: refused and carried out", operation);
    }

    // A signal that was enqueued was handled, is a dead letter, or its instance has ended.
    void signal(const SignalId& id, const SentSignal& sent) {
        if (sent.stale_event)
            expect(!tables_.pending.contains(*sent.stale_event) && fates(*sent.stale_event).empty(),
                   "I19: an old token had an effect", id);
        if (!sent.enqueued) return;
        const InstanceId& instance = sent.signal.instance;
        const bool processed = tables_.processed.contains({instance, id});
        const bool dead = tables_.dead_letters.contains(id) || ledger_.removed.contains(id);
        expect(processed || dead, "I9: a signal was neither handled nor moved to the dead letters",
               id);
        expect(!processed || !tables_.dead_letters.contains(id), "I41: handled and buried", id);
    }

    void conflict_body(const SeenConflict& conflict) {
        const HistoryRow* bearer = nullptr;
        bool exists = false;
        for (auto at = tables_.history.lower_bound({conflict.instance, 0});
             at != tables_.history.end() && at->first.first == conflict.instance; ++at) {
            if (at->second.version > conflict.version) break;
            exists |= at->second.version == conflict.version;
            if (carries_state(at->second.type)) bearer = &at->second;
        }
        expect(exists && bearer && bearer->payload == conflict.state,
               "I15: a conflict reported a version that never existed", conflict.instance);
    }

    // An index is recorded once in each run, by that run (I23).
    void steps() {
        std::set<std::tuple<InstanceId, std::uint64_t, std::uint64_t>> seen;
        for (const RecordedStep& step : ledger_.steps) {
            expect(seen.emplace(step.instance, step.run.run, step.run.index).second,
                   "I23: a step was recorded twice", step.instance);
            std::uint64_t run = 1;
            for (auto at = tables_.history.lower_bound({step.instance, 0});
                 at != tables_.history.end() && at->first.first == step.instance &&
                 at->second.version < step.version;
                 ++at)
                run += at->second.type == HistoryType::continued;
            expect(run == step.run.run, "I22: an old run recorded a step", step.instance);
        }
    }

    const Ledger& ledger_;
    const memory::Tables& tables_;
    std::map<OperationId, std::vector<const HistoryRow*>> by_operation_;
    std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> judge(const Ledger& ledger, const memory::Tables& tables) {
    return Judge(ledger, tables).run();
}

}  // namespace holdfast::sim
