// What a store loaded for a round, before the operations decide.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "model/checkpoint.h"
#include "model/definition.h"
#include "model/instance.h"
#include "model/journal.h"
#include "store/mailbox.h"
#include "store/read_set.h"
#include "store/signals.h"
#include "store/tasks.h"

namespace holdfast {

// The outcome of an operation that carried a client key, stored so that a repeat gets the same
// answer.
struct KeyedOutcome {
    TenantKey key;
    Digest request;
    std::string outcome;  // canonical JSON
    OperationId operation;
    Moment at;
    // Made or changed by the operation: the key is kept as long as it. Not loaded.
    std::optional<InstanceId> instance = {};

    bool operator==(const KeyedOutcome&) const = default;
};

struct StateAt {
    Document state;
    Document state_metadata;
};

// Where the history of a cleared id ended.
struct Lineage {
    Version version = 0;
    Digest hash;
    std::string tenant = "default";
};

struct Loaded {
    struct Row {
        Instance instance;
        // State or metadata failed its checksum. The documents carry the stored checksum, not their
        // own, so that writing the row back does not hide the damage; invalid JSON loads as null.
        bool corrupt = false;
        // The row fails its own checksum: it may be another instance's. Corrupt too, its content is
        // hidden, and it is never written.
        bool misplaced = false;
    };

    Moment now;
    std::map<InstanceId, Row> instances;
    std::map<InstanceId, Lineage> lineages;  // of absent instances whose past was looked up
    std::map<TenantKey, std::shared_ptr<const Definition>> newest;
    std::map<TenantRef, std::shared_ptr<const Definition>> definitions;
    std::map<ReadSet::StateVersion, StateAt> states;
    std::map<ReadSet::CheckpointName, Checkpoint> checkpoints;
    std::map<TenantKey, KeyedOutcome> answers;
    LoadedMail mail;
    std::map<Digest, Document> values;
    std::map<std::pair<InstanceId, std::uint64_t>, Step> steps;
    std::map<std::pair<InstanceId, std::uint64_t>, Winner> winners;
    std::map<InstanceId, Loading<WaitRow>> completions;  // waits for its end
    std::map<InstanceId, Loading<InstanceId>> children;
    std::map<BusinessKeyRef, std::vector<InstanceId>> under_keys;  // the newest first
    LoadedSignals signals;
    std::map<TaskId, HumanTask> tasks;  // named by the reads, or open
};

}  // namespace holdfast
