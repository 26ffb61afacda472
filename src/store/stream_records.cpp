#include "store/stream_records.h"

#include <algorithm>

namespace holdfast {
namespace {

class Collector {
public:
    explicit Collector(const Changes& changes) : changes_(changes) {}

    RoundRecords collect() && {
        round_.at = changes_.now;
        for (const HistoryRow& row : *changes_.history) add(row);
        for (const Checkpoint* checkpoint : changes_.checkpoints) add(*checkpoint);
        for (const TaskEvent& event : changes_.tasks->events) add(event);
        for (const auto& [id, letter] : changes_.signals->unburied) add(letter, "Removed");
        for (const auto& [id, letter] : changes_.signals->buried) add(letter, "Buried");
        for (const auto& [id, dead] : changes_.mail->unburied) add(dead.event, "Removed");
        for (const auto& [id, dead] : changes_.mail->buried) add(dead.event, "Buried");
        return std::move(round_);
    }

private:
    static const Instance& instance_of(const InstanceChange* change) {
        return change->after ? *change->after : *change->before;
    }

    // Null: the round did not change it.
    const Instance* find(const InstanceId& id) const {
        const auto& all = changes_.instances;  // in the order of their ids
        const auto found = std::ranges::lower_bound(
            all, id, {}, [](const InstanceChange* one) { return instance_of(one).id; });
        return found != all.end() && instance_of(*found).id == id ? &instance_of(*found) : nullptr;
    }

    void add(const HistoryRow& row) {
        const bool is_incident =
            row.type == HistoryType::incident_raised || row.type == HistoryType::incident_settled;
        StreamRecord& record = add(is_incident ? RecordKind::incident : RecordKind::workflow,
                                   name_of(row.type), row.instance, {}, row.cause.tenant());
        record.version = row.version;
        record.user = row.cause.caller.user;
    }

    // It changes what is shown of its instance, and has no history row.
    void add(const Checkpoint& checkpoint) {
        const Instance* instance = find(checkpoint.instance);
        if (!instance) return;
        StreamRecord& record =
            add(RecordKind::workflow, "CheckpointTaken", checkpoint.instance, {}, instance->tenant);
        record.version = checkpoint.version;
        record.user = checkpoint.created_by;
    }

    void add(const TaskEvent& event) {
        StreamRecord& record = add(RecordKind::task, name_of(event.type), event.instance,
                                   event.task.value, event.caller.tenant);
        record.version = event.version;
        record.user = event.caller.user;
        const auto& [inserted, updated, events] = *changes_.tasks;
        const HumanTask* task = nullptr;
        if (const auto found = inserted.find(event.task); found != inserted.end())
            task = &found->second;
        else if (const auto changed = updated.find(event.task); changed != updated.end())
            task = &changed->second.task;
        if (!task) return;
        record.definition = task->definition;
        record.business_key = task->business.key;
    }

    void add(const DeadLetter& letter, std::string_view type) {
        add(RecordKind::dead_letter, type, letter.signal.instance, letter.signal.id.value,
            letter.tenant);
    }

    void add(const Event& dead, std::string_view type) {
        add(RecordKind::dead_event, type, dead.target.value_or(InstanceId{}), dead.id.value,
            dead.tenant);
    }

    StreamRecord& add(RecordKind kind, std::string_view type, const InstanceId& id,
                      const Uuid& subject, const std::string& tenant) {
        StreamRecord& record = round_.records.emplace_back();
        record.kind = kind;
        record.type = type;
        record.instance = id;
        record.subject = subject;
        record.tenant = tenant;
        if (const Instance* instance = find(id)) {
            record.definition = instance->definition.key;
            record.business_key = instance->business.key;
        }
        return record;
    }

    const Changes& changes_;
    RoundRecords round_;
};

}  // namespace

RoundRecords records_of(const Changes& changes) { return Collector(changes).collect(); }

bool has_records(const Changes& changes) {
    return !changes.history->empty() || !changes.checkpoints.empty() ||
           !changes.tasks->events.empty() || !changes.signals->buried.empty() ||
           !changes.signals->unburied.empty() || !changes.mail->buried.empty() ||
           !changes.mail->unburied.empty();
}

std::string encode_records(const Changes& changes) {
    return has_records(changes) ? encode(records_of(changes)) : std::string();
}

}  // namespace holdfast
