#include "support/script_signals.h"

#include <boost/json.hpp>

#include "model/job.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using std::chrono::seconds;

bool is_any(SignalType) { return true; }
bool is_job(SignalType type) { return type == SignalType::job; }

}  // namespace

void SignalCommands::follow(unsigned kind) {
    if (kind < 7) return state_.submit(enqueue());
    if (kind < 13) return state_.submit(on_leased<op::HandleSignal>(is_ordered));
    if (kind < 15) return bury();
    if (kind > 14 && state_.tables().dead_letters.empty() && (kind < 17 || kind == 23)) bury();
    if (kind < 17)
        return state_.submit(
            op::RedriveDeadLetter{.cause = state_.cause(), .signal = any_letter()});
    if (kind < 19) return state_.claim();
    if (kind < 22) return end_job();
    if (kind == 22) return state_.submit(report());
    state_.submit(op::RemoveDeadLetter{.cause = state_.cause(), .signal = any_letter()});
}

op::EnqueueSignal SignalCommands::enqueue() {
    op::EnqueueSignal signal{.cause = state_.cause(), .instance = receiver()};
    signal.signal = {derive(signal.cause.operation.value, 9)};
    if (!signals_.empty() && state_.choose(8) == 0) signal.signal = state_.any(signals_);
    signals_.push_back(signal.signal);
    if (state_.choose(5) == 0) signal.after = seconds(30 * state_.choose(3));
    aim(signal);
    return signal;
}

// Usually one that waits.
InstanceId SignalCommands::receiver() {
    std::vector<InstanceId> waiting;
    for (const InstanceId& id : state_.ids())
        if (const Instance* found = state_.find(id); found && !found->waits.empty())
            waiting.push_back(id);
    return waiting.empty() || state_.choose(4) == 0 ? state_.any_id() : state_.any(waiting);
}

// Says what it is about: an event, a timer or an end, usually with the token of a wait.
void SignalCommands::aim(op::EnqueueSignal& signal) {
    const Instance* found = state_.find(signal.instance);
    const auto waits = found ? found->waits : std::vector<Waiting>{};
    const Waiting* waiting =
        waits.empty() ? nullptr : &waits[state_.choose(static_cast<std::uint32_t>(waits.size()))];
    if (waiting && state_.choose(5) != 0) signal.token = waiting->token;
    switch (state_.choose(6)) {
        case 0: signal.type = SignalType::timer_due; break;
        case 1:
            signal.type = SignalType::sub_workflow_completed;
            signal.payload = Document::of(
                bj::object{{"workflow", to_string(waiting && !waiting->wait.workflows.empty()
                                                      ? waiting->wait.workflows.front()
                                                      : state_.any_id())}});
            break;
        case 2: signal.payload = state_.value(); break;  // undecodable
        default: {
            EventId event{derive(signal.cause.operation.value, 11)};
            if (!state_.events().empty() && state_.choose(4) == 0)
                event = state_.any(state_.events());
            state_.events().push_back(event);
            const bool meant = waiting && !waiting->wait.names.empty() && state_.choose(4) != 0;
            const std::string name =
                meant ? waiting->wait.names.front().name : state_.any(state_.names);
            signal.payload = Document::of(bj::object{
                {"event", to_string(event)}, {"name", name}, {"value", state_.choose(5)}});
        }
    }
}

std::size_t SignalCommands::queued() {
    std::size_t rows = 0;
    for (const auto& [id, row] : state_.tables().queue) rows += is_ordered(row.type);
    return rows;
}

std::vector<SignalRow> SignalCommands::leased(bool (*is_meant)(SignalType type)) {
    std::vector<SignalRow> rows;
    for (const auto& [id, row] : state_.tables().queue)
        if (row.leased_by && is_meant(row.type)) rows.push_back(row);
    return rows;
}

template <class Op>
Op SignalCommands::on_leased(bool (*is_meant)(SignalType type)) {
    auto rows = leased(is_meant);
    if (rows.empty()) {
        if (is_meant != is_job && queued() < 3) state_.submit(enqueue());
        state_.claim();
        rows = leased(is_meant);
    }
    Op op;
    op.cause = state_.cause();
    op.instance = state_.any_id();
    if (rows.empty()) return op;
    const SignalRow& row = state_.any(rows);
    op.instance = row.instance;
    op.signal = row.id;
    op.lease = {*row.leased_by, row.epoch - (state_.choose(8) == 0 ? 1 : 0)};
    return op;
}

void SignalCommands::end_job() {
    auto end = on_leased<op::EndJob>(is_job);
    const std::vector<bj::object> results = {
        {{"variables", bj::object{{"n", state_.choose(5)}}}},
        {{"variables", bj::object{}}},
        {{"error", "E"}, {"message", "m"}},
        {{"failed", "m"}},
    };
    end.result = Document::of(state_.any(results));
    state_.submit(std::move(end));
}

void SignalCommands::bury() {
    auto bury = on_leased<op::BurySignal>(state_.choose(3) == 0 ? is_any : is_ordered);
    bury.hold = state_.choose(2) == 0;
    bury.detail = "d";
    state_.submit(std::move(bury));
}

// Usually one that nobody leases.
op::ReportStranded SignalCommands::report() {
    op::ReportStranded report{
        .cause = state_.cause(), .instance = state_.any_id(), .signal = {}, .detail = "d"};
    std::vector<SignalRow> rows;
    for (const auto& [id, row] : state_.tables().queue)
        if (row.type == SignalType::internal_continue && (!row.leased_by || state_.choose(4) == 0))
            rows.push_back(row);
    if (rows.empty()) return report;
    const SignalRow& row = state_.any(rows);
    report.instance = row.instance;
    report.signal = row.id;
    return report;
}

SignalId SignalCommands::any_letter() {
    std::vector<SignalId> letters;
    for (const auto& [id, letter] : state_.tables().dead_letters) letters.push_back(id);
    if (letters.empty()) letters = signals_;
    return letters.empty() ? SignalId{} : state_.any(letters);
}

}  // namespace holdfast::testing
