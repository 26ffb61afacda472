// The world as one round sees it: what was loaded, and what the round's operations made of it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/assert.h"
#include "model/checkpoint.h"
#include "model/children_diff.h"
#include "model/conflict.h"
#include "model/definition.h"
#include "model/history.h"
#include "model/instance.h"
#include "store/read_set.h"

namespace holdfast {

// The outcome of an operation that carried a client key, kept so that a repeat gets the same
// answer.
struct ClientAnswer {
    std::string key;
    Digest request;
    std::string outcome;  // canonical JSON
    OperationId operation;
    Moment at;

    bool operator==(const ClientAnswer&) const = default;
};

struct StateAt {
    Document state;
    Document state_metadata;
};

// Where the history of a cleared id ended.
struct Lineage {
    Version version = 0;
    Digest hash;
};

// What a store read for a round.
struct Loaded {
    struct Row {
        Instance instance;
        // State or metadata failed its checksum. The documents carry the stored checksum, not their
        // own, so that writing the row back hides nothing; bytes that are no JSON at all load as
        // null.
        bool corrupt = false;
    };

    Moment now;
    std::map<InstanceId, Row> instances;
    std::map<InstanceId, Lineage> lineages;  // of absent instances whose past was looked up
    std::map<std::string, std::shared_ptr<const Definition>> newest;
    std::map<DefinitionRef, std::shared_ptr<const Definition>> definitions;
    std::map<ReadSet::StateVersion, StateAt> states;
    std::map<ReadSet::CheckpointName, Checkpoint> checkpoints;
    std::map<std::string, ClientAnswer> answers;
};

// One instance of a round, before and after. Absent before: inserted; absent after: cleared.
struct InstanceChange {
    std::optional<Instance> before;
    std::optional<Instance> after;
    bool corrupt = false;
    bool dirty = false;
    bool cleared = false;  // at some point of the round; its checkpoints go

    bool document_changed() const;
    ChildrenDiff children() const;
};

// The difference that a commit writes. Rows are in key order, history in order of acceptance.
struct Changes {
    std::vector<const InstanceChange*> instances;
    const std::vector<HistoryRow>* history = nullptr;
    const std::vector<ConflictRow>* conflicts = nullptr;
    const std::vector<std::shared_ptr<const Definition>>* definitions = nullptr;
    std::vector<const Checkpoint*> checkpoints;
    std::vector<const ClientAnswer*> answers;

    bool empty() const;
};

class View {
public:
    View(const ReadSet& reads, Loaded loaded);

    Moment now() const { return now_; }

    // Null: there is no such instance. Only instances that the round's reads name may be asked for.
    const Instance* find(const InstanceId& id) const;
    bool is_corrupt(const InstanceId& id) const { return entry(id).corrupt; }
    // Its documents were repaired in this round.
    void mark_sound(const InstanceId& id) { entry(id).corrupt = false; }
    // Marks the row as touched: its rev moves once, however many operations touch it.
    Instance& edit(const InstanceId& id);
    // Adds an instance under an id that is free; it goes on after the last version that the id ever
    // had.
    Instance& insert(Instance instance);
    void clear(const InstanceId& id, const Cause& cause);

    struct Entry {
        HistoryType type;
        std::string payload;  // canonical JSON
        std::optional<std::string> state_metadata;
        Cause cause;
    };
    // Version + 1 and one history row, chained on the one before (I10, I13).
    void accept(Instance& instance, Entry entry);

    // Null: no such key.
    const Definition* newest_definition(const std::string& key) const;
    // The version that an instance of this round is on. Null: nobody ever defined it.
    const Definition* definition(const DefinitionRef& ref) const;
    void add(std::shared_ptr<const Definition> definition);

    const Checkpoint* checkpoint(const InstanceId& id, const std::string& name) const;
    void put(Checkpoint checkpoint);

    // Absent: that version is in the future, was pruned, or belongs to a life before a clear.
    std::optional<StateAt> state_at(const InstanceId& id, Version version) const;

    const ClientAnswer* answer(const std::string& client_key) const;
    void put(ClientAnswer answer);

    void add(ConflictRow conflict);

    // How often the round has changed anything: a refusal must leave it as it was.
    std::size_t writes() const { return writes_; }
    Changes changes() const;
    // Every instance this round touched, as it is now; null: cleared.
    std::vector<std::pair<InstanceId, const Instance*>> touched() const;

private:
    const InstanceChange& entry(const InstanceId& id) const;
    InstanceChange& entry(const InstanceId& id);
    void append(const InstanceId& id, Version version, const Digest& previous, Entry entry);

    Moment now_;
    std::map<InstanceId, InstanceChange> instances_;
    std::map<InstanceId, Lineage> lineages_;
    std::map<std::string, std::shared_ptr<const Definition>> newest_;
    std::map<DefinitionRef, std::shared_ptr<const Definition>> definitions_;
    std::map<ReadSet::StateVersion, StateAt> states_;
    std::map<ReadSet::CheckpointName, Checkpoint> checkpoints_;
    std::map<std::string, ClientAnswer> answers_;

    std::vector<HistoryRow> history_;
    std::vector<ConflictRow> conflicts_;
    std::vector<std::shared_ptr<const Definition>> new_definitions_;
    std::map<ReadSet::CheckpointName, Checkpoint> new_checkpoints_;
    std::map<std::string, ClientAnswer> new_answers_;
    std::size_t writes_ = 0;
};

}  // namespace holdfast
