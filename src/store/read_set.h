// What a round needs to see before it can decide. Sorted, so that every store locks in one order.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "model/instance.h"

namespace holdfast {

// Whether an absent row's past matters: an id that was cleared goes on with its last version
// (000.4).
enum class Past { fresh, looked_up };

class ReadSet {
public:
    struct Need {
        Depth depth = Depth::row;
        Past past = Past::fresh;
    };
    using StateVersion = std::pair<InstanceId, Version>;
    using CheckpointName = std::pair<InstanceId, std::string>;

    void instance(const InstanceId& id, Depth depth, Past past = Past::fresh) {
        Need& need = instances_[id];
        need.depth = std::max(need.depth, depth);
        need.past = std::max(need.past, past);
    }
    // The newest version of a definition.
    void definition(const std::string& key) { definitions_.insert(key); }
    // The state as it was at a version, the base of a merge.
    void state_at(const InstanceId& id, Version version) { states_.emplace(id, version); }
    void checkpoint(const InstanceId& id, const std::string& name) {
        checkpoints_.emplace(id, name);
    }
    // The answer that an earlier operation with this client key was given.
    void answer(const std::string& client_key) { answers_.insert(client_key); }

    const std::map<InstanceId, Need>& instances() const { return instances_; }
    const std::set<std::string>& definitions() const { return definitions_; }
    const std::set<StateVersion>& states() const { return states_; }
    const std::set<CheckpointName>& checkpoints() const { return checkpoints_; }
    const std::set<std::string>& answers() const { return answers_; }

private:
    std::map<InstanceId, Need> instances_;
    std::set<std::string> definitions_;
    std::set<StateVersion> states_;
    std::set<CheckpointName> checkpoints_;
    std::set<std::string> answers_;
};

}  // namespace holdfast
