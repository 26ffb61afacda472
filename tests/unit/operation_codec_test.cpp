// The JSON form of operations: every member of every operation is read back.
#include "operations/operation_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/json.hpp>
#include <tuple>

#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "support/arbitrary_json.h"

namespace holdfast {
namespace {

namespace bj = boost::json;
using namespace testing;

// All members of an operation. Does not compile after a member was added to the struct.
auto members(op::Define& op) {
    auto& [cause, key, schema, compiled, indexes, kind, retention] = op;
    return std::tie(cause, key, schema, indexes, kind, retention);
}
auto members(op::StartChild& op) {
    auto& [a, b, c, d, e, f, g, h, i] = op;
    return std::tie(a, b, c, d, e, f, g, h, i);
}
template <class Op>
    requires std::same_as<Op, op::CreateTask> || std::same_as<Op, op::ClaimTask> ||
             std::same_as<Op, op::AssignTask> || std::same_as<Op, op::DelegateTask> ||
             std::same_as<Op, op::CompleteTask> || std::same_as<Op, op::FailTask>
auto members(Op& op) {
    auto& [a, b, c, d, e, f, g] = op;
    return std::tie(a, b, c, d, e, f, g);
}
template <class Op>
    requires std::same_as<Op, op::ReleaseTask> || std::same_as<Op, op::CancelTask>
auto members(Op& op) {
    auto& [a, b, c, d, e, f] = op;
    return std::tie(a, b, c, d, e, f);
}
auto members(op::SendEvent& op) {
    auto& [a, b, c, d, e, f, g, h, i, j] = op;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
}
auto members(op::RecordStep& op) {
    auto& [a, b, c, d, e, f, g, h, i] = op;
    return std::tie(a, b, c, d, e, f, g, h, i);
}
template <class Op>
    requires std::same_as<Op, op::Start> || std::same_as<Op, op::EnqueueSignal> ||
             std::same_as<Op, op::BurySignal>
auto members(Op& op) {
    auto& [a, b, c, d, e, f, g] = op;
    return std::tie(a, b, c, d, e, f, g);
}
template <class Op>
    requires std::same_as<Op, op::Fail> || std::same_as<Op, op::SetState>
auto members(Op& op) {
    auto& [a, b, c, d, e, f] = op;
    return std::tie(a, b, c, d, e, f);
}
template <class Op>
    requires std::same_as<Op, op::EditState> || std::same_as<Op, op::Cancel> ||
             std::same_as<Op, op::Checkpoint> || std::same_as<Op, op::Restore> ||
             std::same_as<Op, op::Fork> || std::same_as<Op, op::Release> ||
             std::same_as<Op, op::Suspend> || std::same_as<Op, op::PutOff> ||
             std::same_as<Op, op::ReplayDeadEvent>
auto members(Op& op) {
    auto& [a, b, c, d, e] = op;
    return std::tie(a, b, c, d, e);
}
template <class Op>
    requires std::same_as<Op, op::Finish> || std::same_as<Op, op::Pause> ||
             std::same_as<Op, op::Resume> || std::same_as<Op, op::ContinueAs> ||
             std::same_as<Op, op::HandleSignal>
auto members(Op& op) {
    auto& [a, b, c, d] = op;
    return std::tie(a, b, c, d);
}
template <class Op>
    requires std::same_as<Op, op::Clear> || std::same_as<Op, op::Write> ||
             std::same_as<Op, op::FireTimer> || std::same_as<Op, op::RedriveDeadLetter>
auto members(Op& op) {
    auto& [a, b, c] = op;
    return std::tie(a, b, c);
}
template <class Op>
    requires std::same_as<Op, op::Read> || std::same_as<Op, op::Quarantine> ||
             std::same_as<Op, op::RemoveDeadEvent> || std::same_as<Op, op::Recover> ||
             std::same_as<Op, op::CancelTimers> || std::same_as<Op, op::RemoveDeadLetter>
auto members(Op& op) {
    auto& [a, b] = op;
    return std::tie(a, b);
}

std::uint64_t any_number() { return *rc::gen::inRange<std::uint64_t>(0, 1'000'000); }
bool any_flag() { return *rc::gen::arbitrary<bool>(); }

void fill(std::string& text) { text = *any_text(); }
void fill(std::uint64_t& number) { number = any_number(); }
void fill(bool& flag) { flag = any_flag(); }
void fill(Document& document) { document = Document::of(*any_json(2)); }
void fill(Digest& digest) { digest = sha256(std::to_string(any_number())); }
void fill(Moment& moment) { moment = Moment{std::chrono::microseconds(any_number() * 9'999'999)}; }
void fill(std::chrono::microseconds& time) { time = std::chrono::microseconds(any_number()); }
template <class Tag>
void fill(Id<Tag>& id) {
    id = {make_uuid_v7(Moment{std::chrono::seconds{1'769'594'400}}, any_number(), any_number())};
}
void fill(json::Path& path);
void fill(op::ClientKey& key);
void fill(BusinessReference& business);
void fill(Activity& activity);
void fill(VariableScope& scope);
void fill(Condition& condition);
void fill(OpenFork& fork);
void fill(Waiting& waiting);
void fill(LastCheckpoint& checkpoint);
void fill(Lease& lease);
void fill(Program& program);
void fill(Retry& retry);
template <class T>
void fill(std::optional<T>& optional) {
    if (any_flag()) fill(optional.emplace());
}
template <class T>
void fill(std::vector<T>& list) {
    list.resize(*rc::gen::inRange<std::size_t>(0, 3));
    for (T& item : list) fill(item);
}
template <class Enum>
    requires std::is_enum_v<Enum>
void fill(Enum& value) {
    value = static_cast<Enum>(*rc::gen::inRange(0, 2));
}

void fill(json::Path& path) {
    path = *json::parse_path(*rc::gen::element<std::string>("a", "a.b", "x-1.y_2.0"));
}
void fill(std::optional<std::string>& schema) {  // only Define has one
    if (any_flag()) schema = R"({"required":["a","b"],"type":"object"})";
}
void fill(op::ClientKey& key) {
    fill(key.key);
    fill(key.request);
}
void fill(Cause& cause) {
    fill(cause.operation);
    fill(cause.user);
    fill(cause.correlation);
}
void fill(Lease& lease) {
    fill(lease.node);
    fill(lease.epoch);
}
void fill(op::Run& run) {
    fill(run.run);
    fill(run.index);
    fill(run.lease);
}
void fill(Retention& retention) {
    fill(retention.keep_for);
    fill(retention.stale_after);
}
void fill(Retry& retry) {
    fill(retry.index);
    Document error;
    Moment at;
    fill(error);
    fill(at);
    retry.attempts.push_back({error, at});
}
void fill(Program& program) {
    fill(program.rollback);
    fill(program.unwinding);
    fill(program.buried);
    fill(program.retry);
}
void fill(TaskSpec& spec) {
    fill(spec.name);
    fill(spec.queue);
    fill(spec.assignee);
    fill(spec.candidate_users);
    fill(spec.candidate_groups);
    fill(spec.payload);
    fill(spec.expected_outputs);
    fill(spec.due_at);
    spec.priority = static_cast<std::uint32_t>(any_number());
}
void fill(BusinessReference& business) {
    fill(business.key);
    for (const char* name : {"region", "né"})
        if (any_flag()) fill(business.parts[name]);
}
void fill(Wait& wait) {
    fill(wait.names);
    fill(wait.until);
    fill(wait.workflows);
    fill(wait.since);
    fill(wait.retry);
}
void fill(op::Edit& edit) {
    switch (*rc::gen::inRange(0, 3)) {
        case 0: {
            op::Replace replace;
            fill(replace.state);
            fill(replace.state_metadata);
            edit = replace;
            return;
        }
        case 1: fill(edit.emplace<op::MergePatch>().patch); return;
        default: {
            const bj::value patch = *json::parse(
                R"([{"op":"add","path":"/a~1b","value":1},{"op":"move","from":"/a","path":"/c"}])");
            edit = op::JsonPatch{*json::parse_patch(patch), Document::of(patch)};
        }
    }
}
void fill(Activity& activity) {
    fill(activity.id);
    fill(activity.activity);
}
void fill(VariableScope& scope) {
    fill(scope.id);
    fill(scope.variables);
}
void fill(Condition& condition) {
    fill(condition.id);
    fill(condition.sequence_flow);
    fill(condition.result);
    fill(condition.evaluated);
}
void fill(OpenFork& fork) {
    fill(fork.id);
    fill(fork.gateway);
    fill(fork.tokens);
}
void fill(Waiting& waiting) {
    fill(waiting.token);
    fill(waiting.wait);
    fill(waiting.began_at);
    fill(waiting.operation);
}
void fill(LastCheckpoint& checkpoint) {
    fill(checkpoint.name);
    fill(checkpoint.version);
    fill(checkpoint.at);
}
void fill(Children& children) {
    fill(children.active);
    fill(children.completed);
    fill(children.variables);
    fill(children.forks);
    if (!any_flag()) return;
    ActivityInstanceId gateway;
    fill(gateway);
    fill(children.conditions[gateway]);
}
// All but rev and hash, which the store sets.
void fill(Instance& instance) {
    fill(instance.id);
    fill(instance.tenant);
    instance.definition = {"order", 3};
    fill(instance.business);
    instance.status = *rc::gen::element(Status::running, Status::suspended, Status::failed);
    fill(instance.paused);
    fill(instance.incident);
    fill(instance.version);
    fill(instance.started_by);
    fill(instance.parent);
    fill(instance.created_at);
    fill(instance.execution_started_at);
    fill(instance.completed_at);
    fill(instance.updated_at);
    fill(instance.last_modified_by);
    fill(instance.last_modified_at);
    fill(instance.last_checkpoint);
    fill(instance.run);
    fill(instance.index);
    fill(instance.waiting);
    fill(instance.program);
    fill(instance.result);
    if (any_flag()) instance.last_error = "declined";
    if (any_flag()) instance.last_executed_by = "node";
    fill(instance.last_executed_at);
    fill(instance.state);
    fill(instance.state_metadata);
    fill(instance.children);
}

template <class T>
bool same(const T& a, const T& b) {
    return a == b;
}
bool same(const op::Edit& a, const op::Edit& b) {
    if (a.index() != b.index()) return false;
    if (const auto* replace = std::get_if<op::Replace>(&a))
        return replace->state == std::get<op::Replace>(b).state &&
               replace->state_metadata == std::get<op::Replace>(b).state_metadata;
    if (const auto* merge = std::get_if<op::MergePatch>(&a))
        return merge->patch == std::get<op::MergePatch>(b).patch;
    const auto& [left, right] = std::tie(std::get<op::JsonPatch>(a), std::get<op::JsonPatch>(b));
    return left.source == right.source && left.patch.size() == right.patch.size();
}
bool same_members(auto a, auto b) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return (same(std::get<i>(a), std::get<i>(b)) && ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(a)>>());
}

template <class Op>
void survives() {
    Op op;
    std::apply([](auto&... member) { (fill(member), ...); }, members(op));
    const std::string text = json::canonical(to_json(op));
    auto value = json::parse(text);
    RC_ASSERT(value.has_value());
    auto read = operation_from_json(*value);
    if (!read) RC_FAIL(read.error().message + " in " + text);
    RC_ASSERT(std::holds_alternative<Op>(*read));
    RC_ASSERT(json::canonical(to_json(*read)) == text);
    if (!same_members(members(op), members(std::get<Op>(*read)))) RC_FAIL(text);
}

template <std::size_t index = 0>
void each_survives() {
    if constexpr (index < std::variant_size_v<Operation>) {
        survives<std::variant_alternative_t<index, Operation>>();
        each_survives<index + 1>();
    }
}

RC_GTEST_PROP(OperationCodec, EveryMemberOfEveryOperationSurvives, ()) { each_survives(); }

TEST(OperationCodec, ASchemaIsCompiledAgain) {
    op::Define define{.key = "order", .schema = R"({"type":"object"})"};
    const auto read = operation_from_json(op::to_json(define));
    ASSERT_TRUE(read.has_value());
    ASSERT_TRUE(std::get<op::Define>(*read).compiled);
    EXPECT_EQ(std::get<op::Define>(*read).compiled->check(bj::value(1)).size(), 1u);
}

TEST(OperationCodec, AnInvalidOperationIsRefusedWithItsReason) {
    const auto message = [](const bj::value& value) {
        const auto read = operation_from_json(value);
        return read ? "" : read.error().message;
    };
    EXPECT_EQ(message(1), "expected an object");
    EXPECT_EQ(message(bj::object{{"operation", "fly"}}), "unknown operation 'fly'");
    bj::object pause = op::to_json(op::Pause{});
    pause["instance"] = "x";
    EXPECT_EQ(message(pause), "member 'instance' is missing or invalid");
    bj::object suspend = op::to_json(op::Suspend{});
    suspend["run"].as_object().erase("index");
    EXPECT_EQ(message(suspend), "member 'run' is missing or invalid");
}

}  // namespace
}  // namespace holdfast
