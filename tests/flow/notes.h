// Commands of an execution as short strings to compare.
#pragma once

#include <string>

#include "flow/commands.h"

namespace holdfast::flow {

inline std::string say(const std::string& what, std::uint64_t index, const std::string& how) {
    return what + " " + std::to_string(index) + (how.empty() ? "" : " " + how);
}

inline std::string note(const RunStep& c) {
    return say("run", c.index, std::to_string(c.attempt.number));
}
inline std::string note(const SendEvent& c) { return say("send", c.index, c.name); }
inline std::string note(const ReadState& c) { return say("read", c.index, ""); }
inline std::string note(const op::RecordStep& c) {
    return say(c.result == StepResult::error ? "record error"
               : c.rollback                  ? "record!"
                                             : "record",
               c.run.index, c.step_name + "=" + c.value.text());
}
inline std::string note(const op::StartChild& c) {
    return say("child", c.run.index, c.definition + c.arguments.text());
}
inline std::string note(const op::SetState& c) { return say("set", c.run.index, c.patch.text()); }
inline std::string note(const op::CreateTask& c) { return say("task", c.run.index, c.spec.name); }
inline std::string note(const op::Suspend& c) {
    std::string text;
    for (const EventKey& name : c.wait.names) text += name.name + " ";
    for (const InstanceId& id : c.wait.workflows) text += to_string(id) + " ";
    if (c.after) text += "after " + std::to_string(c.after->count() / 1'000'000) + "s";
    if (c.wait.until)
        text += "until " + std::to_string(c.wait.until->time_since_epoch().count() / 1'000'000);
    return say("suspend", c.run.index, text);
}
inline std::string note(const op::PutOff& c) { return say("put off", c.run.index, c.error.text()); }
inline std::string note(const op::Finish& c) { return say("finish", c.run.index, c.result.text()); }
inline std::string note(const op::Fail& c) {
    return say(c.cancelled ? "cancelled" : "fail", c.run.index, c.code);
}
inline std::string note(const op::ContinueAs& c) {
    return say("continue", c.run.index, c.arguments.text());
}
inline std::string note(const Diverged& c) {
    return say("diverged", c.index, c.expected + " / " + c.found);
}

inline std::string note_of(const Command& command) {
    return std::visit([](const auto& one) { return note(one); }, command);
}

}  // namespace holdfast::flow
