// The JSON form of operations: every member of every operation is read back.
#include "operations/operation_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/json.hpp>
#include <vector>

#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "operations/member_size.h"
#include "support/arbitrary_json.h"

namespace holdfast {
namespace {

namespace bj = boost::json;
using namespace testing;

// How many members a struct has.
struct Anything {
    template <class T>
    operator T() const;
};
template <class T, class... Members>
constexpr std::size_t count_members() {
    if constexpr (requires { T{Members{}..., Anything{}}; })
        return count_members<T, Members..., Anything>();
    else
        return sizeof...(Members);
}

// Where the described members of an operation or outcome are.
struct Addresses {
    std::vector<const void*> members;

    void operator()(std::string_view, auto&& member) { members.push_back(address(member)); }
    void later(std::string_view name, auto&& member) { (*this)(name, member); }

    static const void* address(const auto& member) { return &member; }
    template <class T>
    static const void* address(const op::JsonText<T>& json) {
        return &json.text;
    }
    template <class T>
    static const void* address(const op::Whole<T>& whole) {
        return &whole.instance;
    }
};
template <class T>
std::size_t count_described() {
    T value{};
    Addresses with;
    if constexpr (requires { T::describe(value, with); }) T::describe(value, with);
    return with.members.size();
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
void fill(EventKey& key) {
    key.name = *any_text();
    key.correlation = *any_text();
}
// As read_limits accepts it.
void fill(Limits& limits) {
    limits = {.concurrency = 1 + any_number() % most_concurrent};
    if (any_flag())
        limits.rate =
            Rate{1 + static_cast<std::uint32_t>(any_number() % 50), std::chrono::seconds(1), 2};
    if (any_flag()) limits.key = "businessKey";
}
void fill(json::Path& path);
void fill(op::ClientKey& key);
void fill(op::Define& part);
void fill(BusinessReference& business);
void fill(Modification& step);
void fill(MappedElement& mapped);
void fill(Activity& activity);
void fill(VariableScope& scope);
void fill(Condition& condition);
void fill(OpenFork& fork);
void fill(Waiting& waiting);
void fill(LastCheckpoint& checkpoint);
void fill(Lease& lease);
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
void fill(std::optional<std::string>& name) {  // of a user: never empty
    if (any_flag()) name = "ann";
}
void fill(op::ClientKey& key) {
    fill(key.key);
    fill(key.request);
}
void fill(Cause& cause) {
    fill(cause.operation);
    fill(cause.caller.tenant);
    fill(cause.caller.user);
    fill(cause.caller.groups);
    fill(cause.caller.roles);
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
void fill(Retry& retry) {
    fill(retry.index);
    Document error;
    Moment at;
    fill(error);
    fill(at);
    retry.attempts.push_back({error, at});
}
void fill(ProgramState& program) {
    fill(program.rollback);
    fill(program.unwinding);
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
void fill(Modification& step) {
    switch (*rc::gen::inRange(0, 5)) {
        case 0: {
            auto& set = step.emplace<modification::SetVariables>();
            fill(set.activity);
            return fill(set.variables);
        }
        case 1: {
            auto& enter = step.emplace<modification::Enter>();
            fill(enter.element);
            return fill(enter.inside);
        }
        case 2: return fill(step.emplace<modification::End>().activity);
        case 3: return fill(step.emplace<modification::Retry>().activity);
        default: {
            auto& trigger = step.emplace<modification::Trigger>();
            fill(trigger.activity);
            fill(trigger.value);
        }
    }
}
void fill(MappedElement& mapped) {
    fill(mapped.from);
    fill(mapped.to);
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
    fill(instance.waits);
    instance.run_by = *rc::gen::element(RunBy::outside, RunBy::node, RunBy::rounds);
    if (instance.run_by != RunBy::outside) {
        fill(instance.buried);
        fill(instance.program);
    }
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
bool same(const std::vector<op::Define>& a, const std::vector<op::Define>& b) {
    return op::MemberForm::of(a) == op::MemberForm::of(b);
}

struct Filling {
    void operator()(std::string_view, auto&& member) { fill(member); }
    void operator()(std::string_view, op::JsonText<std::optional<std::string>> json) {
        if (any_flag()) json.text = R"({"required":["a","b"],"type":"object"})";
    }
    void operator()(std::string_view, op::Whole<Instance> whole) { fill(whole.instance); }
    void later(std::string_view name, auto&& member) {
        // A definition's kind decides how its source is compiled.
        if (name != "kind" && name != "source") fill(member);
    }
};

void fill(op::Define& part) {
    Filling with;
    op::Define::describe(part, with);
}

// Compares with the members at those addresses, one after the other.
struct Comparing {
    const std::vector<const void*>& others;
    std::vector<std::string> different{};
    std::size_t next = 0;

    template <class T>
    void operator()(std::string_view name, const T& member) {
        const void* other = others.at(next++);
        if (!is_same(member, other)) different.emplace_back(name);
    }
    void later(std::string_view name, const auto& member) { (*this)(name, member); }

    template <class T>
    static bool is_same(const T& member, const void* other) {
        return same(member, *static_cast<const T*>(other));
    }
    template <class T>
    static bool is_same(const op::JsonText<T>& json, const void* other) {
        return is_same(json.text, other);
    }
    template <class T>
    static bool is_same(const op::Whole<T>& whole, const void* other) {
        return is_same(whole.instance, other);
    }
};

template <class T>
std::vector<std::string> differences(const T& a, const T& b) {
    Addresses others;
    if constexpr (requires { T::describe(b, others); }) T::describe(b, others);
    Comparing with{others.members};
    if constexpr (requires { T::describe(a, with); }) T::describe(a, with);
    return with.different;
}

template <class Op>
void survives() {
    Op op;
    fill(op.cause);
    if constexpr (Keyed<Op>) fill(op.client_key);
    Filling with;
    Op::describe(op, with);
    const std::string text = json::canonical(op::operation_json(op));
    auto value = json::parse(text);
    RC_ASSERT(value.has_value());
    auto read = operation_from_json(*value);
    if (!read) RC_FAIL(read.error().message + " in " + text);
    RC_ASSERT(std::holds_alternative<Op>(*read));
    RC_ASSERT(json::canonical(to_json(*read)) == text);
    const Op& back = std::get<Op>(*read);
    RC_ASSERT(back.cause == op.cause);
    if constexpr (Keyed<Op>) RC_ASSERT(back.client_key == op.client_key);
    RC_ASSERT(differences(op, back) == std::vector<std::string>{});
}

template <std::size_t index = 0>
void each_survives() {
    if constexpr (index < std::variant_size_v<Operation>) {
        survives<std::variant_alternative_t<index, Operation>>();
        each_survives<index + 1>();
    }
}

RC_GTEST_PROP(OperationCodec, EveryMemberOfEveryOperationSurvives, ()) { each_survives(); }

template <class Op>
void describes_every_member() {
    // A definition's schema and program are compiled again, its retention has two members.
    const std::size_t derived = std::same_as<Op, op::Define> ? 1 : 0;
    const std::size_t shared = Keyed<Op> ? 2 : 1;  // cause and client key
    EXPECT_EQ(count_members<Op>(), count_described<Op>() + shared + derived) << Op::name;
}
template <class... Ops>
void each_describes_every_member(std::type_identity<std::variant<Ops...>>) {
    (describes_every_member<Ops>(), ...);
}

TEST(OperationCodec, EveryMemberOfEveryOperationIsDescribed) {
    each_describes_every_member(std::type_identity<Operation>());
}

// What an operation keeps for repeats comes back whole.
template <class Op, class Kept>
void keeps() {
    EXPECT_EQ(count_members<Kept>(), count_described<Kept>()) << Op::name << ' ' << Kept::name;
    Kept kept{};
    if constexpr (requires { kept.instance.state; }) kept.instance.state = Document::of({{"a", 1}});
    const auto text = op::kept_form<Op>(typename Op::Outcome{kept});
    ASSERT_TRUE(text) << Op::name;
    const auto read = op::from_kept<Op>(*text);
    ASSERT_TRUE(read.has_value()) << Op::name << ": " << read.error().message;
    EXPECT_EQ(json::canonical(op::outcome_json(*read)), *text);
}
template <class... Ops>
void each_keeps(std::type_identity<std::variant<Ops...>>) {
    const auto keep_of = []<class Op>(std::type_identity<Op>) {
        if constexpr (Keyed<Op>) {
            []<class... Kept>(std::type_identity<std::variant<Kept...>>) {
                (keeps<Op, Kept>(), ...);
            }(std::type_identity<typename op::KeptOf<Op>::Type>());
        }
    };
    (keep_of(std::type_identity<Ops>()), ...);
}

TEST(OperationCodec, AKeptOutcomeIsReadBackWhole) { each_keeps(std::type_identity<Operation>()); }

TEST(OperationCodec, OnlyAChangeIsKept) {
    EXPECT_FALSE(op::kept_form<op::Pause>(op::NotFound{}));
    EXPECT_FALSE(op::kept_form<op::ReplayDeadEvent>(op::Terminated{}));
    EXPECT_FALSE(op::from_kept<op::Pause>(R"({"outcome":"notFound"})").has_value());
}

TEST(OperationCodec, ACancelThatWasKeptBeforeItHadAStatusIsRead) {
    const op::Cancelled cancelled{.before = {}, .version = 4, .status = Status::running};
    bj::object kept = op::outcome_json(op::Cancel::Outcome{cancelled});
    kept.erase("status");
    const auto read = op::from_kept<op::Cancel>(json::canonical(kept));
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(std::get<op::Cancelled>(*read).status, Status::cancelled);
}

TEST(OperationCodec, ASchemaIsCompiledAgain) {
    op::Define define{.key = "order", .schema = R"({"type":"object"})"};
    const auto read = operation_from_json(to_json(Operation(define)));
    ASSERT_TRUE(read.has_value());
    ASSERT_TRUE(std::get<op::Define>(*read).compiled);
    Effort effort;
    EXPECT_EQ(std::get<op::Define>(*read).compiled->check(bj::value(1), effort).size(), 1u);
}

TEST(OperationCodec, AnInvalidOperationIsRefusedWithItsReason) {
    const auto message = [](const bj::value& value) {
        const auto read = operation_from_json(value);
        return read ? "" : read.error().message;
    };
    EXPECT_EQ(message(1), "expected an object");
    EXPECT_EQ(message(bj::object{{"operation", "fly"}}), "unknown operation 'fly'");
    bj::object pause = to_json(Operation(op::Pause{}));
    pause["instance"] = "x";
    EXPECT_EQ(message(pause), "member 'instance' is missing or invalid");
    bj::object suspend = to_json(Operation(op::Suspend{}));
    suspend["run"].as_object().erase("index");
    EXPECT_EQ(message(suspend), "member 'run' is missing or invalid");
}

TEST(OperationSize, CountsTheTextsAndDocumentsThatAnOperationCarries) {
    const auto text = [](std::size_t bytes) { return std::string(bytes, 'x'); };
    const auto json = [&](std::size_t bytes) {
        return json::Document::of(boost::json::value(text(bytes - 2)));
    };
    EXPECT_EQ(op::MemberSize::of(op::Pause{}), 0u);
    EXPECT_EQ(op::MemberSize::of(op::SendEvent{.event_name = "n", .value = json(1'000)}), 1'001u);
    EXPECT_EQ(op::MemberSize::of(op::EditState{.edit = op::MergePatch{json(500)}}), 500u);
    EXPECT_EQ(op::MemberSize::of(op::EditState{.edit = op::Replace{json(50), json(7)}}), 57u);
    const op::Define part{.key = "k", .kind = "", .source = text(3'000)};
    EXPECT_EQ(op::MemberSize::of(op::Deploy{.parts = {part, part}}), 6'002u);
    EXPECT_EQ(op::MemberSize::of(op::Suspend{.wait = {.names = {"a", "b"}}}), 2'048u);
    EXPECT_GE(op::MemberSize::of(op::RecordStep{.step_name = "s", .value = json(90)}), 91u);
}

}  // namespace
}  // namespace holdfast
