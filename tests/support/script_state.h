// What a script under generation has so far: its operations, the rows that they left, and the
// choices of the next command.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "store/memory/tables.h"
#include "support/script.h"
#include "support/script_stage.h"

namespace holdfast::testing {

class ScriptState {
public:
    static constexpr std::size_t most_instances = 9;
    const std::vector<std::string> names = {"a", "b", "c"};
    const std::vector<std::string> people = {"ann", "bob"};

    ScriptState() { begin_segment(); }

    // From here on, details are chosen by the command.
    void follow(const Command& command);
    // Runs the operation alone and appends it to the script.
    void submit(Operation operation);
    // Nothing of what follows is in one round with what was before.
    void begin_segment() { script_.push_back({stage_.now(), {}}); }
    // The node takes signals, outside of the rounds.
    void claim();
    void set_now(Moment now);
    Moment now() const { return stage_.now(); }
    const memory::Tables& tables();
    Script take() { return std::move(script_); }

    std::uint32_t choose(std::uint32_t n);
    template <class T>
    const T& any(const std::vector<T>& list) {
        return list[choose(static_cast<std::uint32_t>(list.size()))];
    }
    Cause cause();
    // The instance that an operation makes.
    void made(const Cause& cause);
    // Usually an open instance.
    InstanceId any_id();
    const std::vector<InstanceId>& ids() const { return ids_; }
    const Instance* find(const InstanceId& id);
    Document value();
    // Usually the current run and index of the instance.
    op::Run run_of(const InstanceId& id);
    std::optional<Version> version_of(const InstanceId& id);
    // Events that were sent, however they came.
    std::vector<EventId>& events() { return events_; }

private:
    const SignalRow* continuation(const InstanceId& id);

    ScriptStage stage_{"memory"};
    Script script_;
    std::vector<InstanceId> ids_;
    std::vector<EventId> events_;
    std::uint64_t operations_ = 0;
    std::array<std::uint32_t, 6> choices_{1, 1, 1, 1, 1, 1};
    std::size_t next_ = 0;
};

}  // namespace holdfast::testing
