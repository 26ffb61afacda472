// A test harness for one execution: a journal in memory, step functions run at once, every command
// is noted.
#pragma once

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <map>

#include "flow/execution.h"
#include "flow/failure.h"
#include "flow/notes.h"

namespace holdfast::flow {

class Bench {
public:
    explicit Bench(Code code, const std::string& arguments = "[]") : code_(std::move(code)) {
        put({.index = 0,
             .name = "arguments",
             .value = Document::of(boost::json::parse(arguments))});
        restart();
    }

    // Drops the live flow and replays the journal.
    void restart(std::size_t lost = 0) {
        for (const auto& [index, end] : running_) execution_->end_step(index, end);
        running_.clear();
        execution_ = std::make_unique<Execution>(
            code_, Identity{}, [this](std::string_view text) { logged.emplace_back(text); });
        for (const JournalEntry& entry : journal) execution_->feed(entry);
        execution_->renew({.index = retry_index, .failed = retry, .lost = lost});
        perform(execution_->advance());
    }

    // The live flow gets a new lease.
    void wake() {
        for (std::size_t i = execution_->next(); i < journal.size(); ++i)
            execution_->feed(journal[i]);
        execution_->renew({.index = retry_index, .failed = retry, .lost = 0});
        perform(execution_->advance());
    }

    // Ends the current wait of the flow, as the coordinator would.
    void win(WinnerType type, const std::string& name, const std::string& value = "null") {
        ASSERT_TRUE(asleep) << "the flow is not waiting";
        asleep.reset();
        const std::uint64_t index = journal.size();
        put({.index = index, .name = name, .value = Document::of(boost::json::parse(value))},
            Winner{.index = index, .type = type, .name = name});
        wake();
    }
    void event(const std::string& name, const std::string& value = "null") {
        win(WinnerType::event, name, value);
    }
    void timer() { win(WinnerType::timer, "timer", R"({"due":"","reached":""})"); }
    void completed(const std::string& id, const std::string& result = "null",
                   const std::string& status = "succeeded") {
        win(WinnerType::workflow, id,
            R"({"workflow":")" + id + R"(","status":")" + status + R"(","result":)" + result + "}");
    }
    void cancel() {
        asleep.reset();
        put({.index = journal.size(), .name = "$cancelled", .value = Document::of(nullptr)});
        wake();
    }

    void perform(std::vector<Command> commands) {
        while (!commands.empty()) {
            for (Command& command : commands) {
                notes.push_back(note_of(command));
                std::visit([&](auto& one) { perform(one); }, command);
            }
            // Operations submitted after a refused call are refused too.
            if (std::exchange(refused_, false)) execution_->renew({});
            commands = execution_->advance();
        }
    }

    static std::string child_id(std::size_t n) {
        InstanceId id;
        id.value.bytes[15] = static_cast<std::uint8_t>(n + 1);
        return to_string(id);
    }
    Execution& execution() { return *execution_; }
    std::string last() const { return notes.empty() ? "" : notes.back(); }
    Json result() const { return boost::json::parse(ended); }
    void put(Step step, std::optional<Winner> winner = {}) {
        if (step.at == Moment{}) step.at = Moment(std::chrono::seconds(1'000 + journal.size()));
        journal.push_back({std::move(step), std::move(winner)});
    }

    std::vector<JournalEntry> journal;
    std::vector<std::string> notes;  // the commands, in order
    std::vector<std::string> logged;
    std::vector<std::string> keys;  // of attempts
    std::optional<op::Suspend> asleep;
    std::optional<Diverged> diverged;
    std::string ended;  // the result, or the error
    std::uint64_t retry_index = 0;
    std::vector<FailedAttempt> retry;
    std::chrono::microseconds paused{0};
    bool hold_steps = false;        // the ends of functions wait for release()
    std::size_t started = 0;        // children
    std::optional<Moment> ends_at;  // time of the ends of steps; absent: not set
    bool hold_records = false;      // records wait for accept()

    void accept() {
        const op::RecordStep held = std::move(held_records_.front());
        held_records_.erase(held_records_.begin());
        record(held.run.index, held.step_name, held.input_hash, held.result, held.value, {},
               held.at);
        perform(execution_->advance());
    }

    void release(std::uint64_t index) {
        const auto held = running_.extract(index);
        execution_->end_step(index, held.mapped());
        perform(execution_->advance());
    }

private:
    void perform(RunStep& c) {
        keys.push_back(c.attempt.idempotency_key);
        StepEnd end;
        try {
            end.value = (*c.function)(c.attempt);
        } catch (...) {
            end = describe_step_error(std::current_exception(), c.options);
        }
        end.at = ends_at;
        if (hold_steps)
            running_.emplace(c.index, std::move(end));
        else
            execution_->end_step(c.index, std::move(end));
    }
    void perform(SendEvent& c) { execution_->end_step(c.index, {.value = Json("delivered")}); }
    void perform(ReadState& c) {
        execution_->end_step(c.index, {.value = boost::json::parse(R"({"n":7})")});
    }
    void perform(op::RecordStep& c) {
        if (hold_records) return held_records_.push_back(c);
        record(c.run.index, c.step_name, c.input_hash, c.result, c.value, {}, c.at);
    }
    void perform(op::StartChild& c) {
        if (c.definition == "nobody")
            return execution_->end_step(
                c.run.index, {.error = {"Misuse", "there is no such flow"}, .retryable = false});
        if (c.run.index > journal.size()) return void(refused_ = true);
        const std::string id = child_id(started++);
        record(c.run.index, c.step_name, c.input_hash, StepResult::value, Document::of(Json(id)),
               id);
    }
    void perform(op::SetState& c) {
        record(c.run.index, c.step_name, c.input_hash, {}, Document::of(nullptr));
    }
    void perform(op::CreateTask& c) {
        record(c.run.index, c.step_name, c.input_hash, StepResult::value, Document::of(Json("t1")),
               "t1");
    }
    void perform(op::Suspend& c) { asleep = c; }
    void perform(op::PutOff& c) {
        retry_index = c.run.index;
        retry.push_back(attempt_from_json(c.error.value()));
        paused = c.pause;
    }
    void perform(op::Finish& c) { ended = c.result.text(); }
    void perform(op::Fail& c) { ended = c.error.text(); }
    void perform(op::ContinueAs&) {}
    void perform(Diverged& c) { diverged = c; }

    void record(std::uint64_t index, const std::string& name, const Digest& hash, StepResult result,
                const Document& value, std::optional<std::string> id = {},
                std::optional<Moment> at = {}) {
        if (index < journal.size()) return execution_->feed(journal[index]);
        refused_ = refused_ || index > journal.size();
        if (refused_) return;
        put({.index = index,
             .name = name,
             .input_hash = hash,
             .result = result,
             .value = value,
             .at = at.value_or(Moment{})});
        execution_->confirm(index, journal.back().step.at, std::move(id));
    }

    const Code code_;
    std::unique_ptr<Execution> execution_;
    std::map<std::uint64_t, StepEnd> running_;
    bool refused_ = false;
    std::vector<op::RecordStep> held_records_;
};

// A bench for a flow given as a lambda.
template <class F>
Bench bench(F flow, const std::string& arguments = "[]") {
    return Bench(code_of("demo", flow), arguments);
}

}  // namespace holdfast::flow
