// Callers: what belongs to one tenant is unknown to the others, by every operation and every read;
// who the caller was is recorded.
#include "operations/operation_codec.h"
#include "support/tenant_world.h"

namespace holdfast::testing {
namespace {

class Tenants : public ::testing::TestWithParam<const char*> {
protected:
    Tenants() : world(GetParam()) {}

    template <class Op>
    std::string outcome_of(Op op) {
        const auto outcome = world.coordinator->submit(std::move(op)).get();
        if (!outcome) return std::string(name_of(outcome.error().code));
        return std::string(op::outcome_json(*outcome).at("outcome").as_string());
    }

    TenantWorld world;
};

// An operation on these, by whatever members it has.
template <class Op>
Op aimed(const Belongings& at, Cause cause) {
    Op op{};
    op.cause = std::move(cause);
    if constexpr (requires { op.instance = at.instance; }) op.instance = at.instance;
    if constexpr (requires { op.instance.id = at.instance; }) op.instance.id = at.instance;
    if constexpr (requires { op.source = at.instance; }) op.source = at.instance;
    if constexpr (requires { op.checkpoint = "c"; }) op.checkpoint = "c";
    if constexpr (requires { op.task = at.task; }) op.task = at.task;
    if constexpr (requires { op.token = at.token; }) op.token = at.token;
    if constexpr (requires { op.lease = at.lease; }) op.lease = at.lease;
    if constexpr (requires { op.signal = at.queued; }) op.signal = at.queued;
    if constexpr (requires { op.event = at.dead; }) op.event = at.dead;
    if constexpr (requires { op.definition = "orders"; }) op.definition = "orders";
    if constexpr (requires { op.run.index = 1; }) op.run.index = 1;
    if constexpr (requires { op.state = Document(); }) op.state = document("{}");
    if constexpr (std::same_as<Op, op::CancelEvent>) op.event = at.delayed;
    if constexpr (std::same_as<Op, op::RedriveDeadLetter> || std::same_as<Op, op::RemoveDeadLetter>)
        op.signal = at.letter;
    if constexpr (std::same_as<Op, op::EnqueueSignal>) op.signal = {op.cause.operation.value};
    if constexpr (std::same_as<Op, op::SendEvent>) {
        op.event = {op.cause.operation.value};
        op.event_name = "paid";
        op.target = at.instance;
    }
    return op;
}

// Those that name nothing that exists: definitions have keys, and a start gets a new id.
template <class Op>
constexpr bool names_nothing = std::same_as<Op, op::Define> || std::same_as<Op, op::Start>;

// Of every listed operation, so that a new one is not forgotten.
TEST_P(Tenants, ForeignIdsAreUnknownToEveryOperation) {
    const Belongings mine = world.belongings_of("default");
    world.start_of("acme");
    const Instance before = world.read(mine.instance);
    const auto letters = world.store->ask(DeadLetterQuery{})->items;
    std::size_t told_apart = 0;
    const auto try_out = [&]<class Op>(std::type_identity<Op>) {
        if constexpr (names_nothing<Op>) return;
        const std::string foreign = outcome_of(aimed<Op>(mine, world.cause_of("acme")));
        // A free id can be written; one of another tenant is not free.
        const std::string unknown =
            std::same_as<Op, op::Write>
                ? "inconsistentState"
                : outcome_of(aimed<Op>(world.nobodys(), world.cause_of("acme")));
        EXPECT_EQ(foreign, unknown) << Op::name;
        EXPECT_EQ(world.read(mine.instance), before) << Op::name << " changed it";
        EXPECT_EQ(world.store->ask(DeadLetterQuery{})->items, letters) << Op::name;
        EXPECT_TRUE(world.store->ask(FindEvent{mine.dead})->dead) << Op::name;
        EXPECT_TRUE(world.store->ask(FindEvent{mine.delayed})->queued) << Op::name;
    };
    [&]<class... Ops>(std::type_identity<std::variant<Ops...>>) {
        (try_out(std::type_identity<Ops>()), ...);
    }(std::type_identity<Operation>());
    // The ids are those of something: most operations by their owner find it.
    const auto by_owner = [&]<class Op>(std::type_identity<Op>) {
        if constexpr (!names_nothing<Op>) {
            const Belongings its = world.belongings_of("default");
            told_apart += outcome_of(aimed<Op>(its, world.cause_of("default"))) !=
                          outcome_of(aimed<Op>(world.nobodys(), world.cause_of("default")));
        }
    };
    [&]<class... Ops>(std::type_identity<std::variant<Ops...>>) {
        (by_owner(std::type_identity<Ops>()), ...);
    }(std::type_identity<Operation>());
    EXPECT_GE(told_apart, 35u);
}

// About the engine, its nodes and its jobs: asked of the store itself, by no route of a caller.
template <class Query>
constexpr bool is_of_engine =
    std::same_as<Query, Ping> || std::same_as<Query, FindTime> ||
    std::same_as<Query, ListRetentions> || std::same_as<Query, ListIndexes> ||
    std::same_as<Query, ListJournals> || std::same_as<Query, FindDueTimers> ||
    std::same_as<Query, ListNodes> || std::same_as<Query, FindNode> ||
    std::same_as<Query, ListHostLocks> || std::same_as<Query, FindStale> ||
    std::same_as<Query, FindMark> || std::same_as<Query, CountBacklog> ||
    std::same_as<Query, StreamQuery>;
template <class Questions>
constexpr bool all_are_covered = false;
template <class... Queries>
constexpr bool all_are_covered<std::variant<Question<Queries>...>> =
    (... && (is_of_engine<Queries> !=
             requires(const TenantReads& reads, const Queries& query) { reads.ask(query); }));
static_assert(all_are_covered<AnyQuestion>, "a new query is asked by tenant, or is the engine's");

TEST_P(Tenants, ForeignIdsAreUnknownToEveryRead) {
    const Belongings mine = world.belongings_of("default");
    const InstanceId other = world.start_of("acme");
    const auto found_by = [&](const std::string& tenant) {
        const TenantReads reads = world.reads(tenant);
        const std::vector<InstanceId> ids{mine.instance};
        return std::vector<std::size_t>{
            reads.ask(FindInstance{mine.instance})->has_value(),
            reads.ask(FindRows{ids})->size(),
            reads.ask(HistoryQuery{mine.instance})->items.empty() ? 0u : 1u,
            reads.ask(CheckpointQuery{mine.instance})->items.size(),
            reads.ask(FindEvent{mine.delayed})->empty() ? 0u : 1u,
            reads.ask(FindEvent{mine.dead})->dead.has_value(),
            reads.ask(PendingEventQuery{})->items.size(),
            reads.ask(DeadEventQuery{})->items.size(),
            reads.ask(FindJournalEntry{mine.instance})->has_value(),
            reads.ask(FindTask{mine.task})->has_value(),
            reads.ask(TaskQuery{})->items.size(),
            reads.ask(TaskEventQuery{mine.task})->items.size(),
            reads.ask(FindDeadLetter{mine.letter})->has_value(),
            reads.ask(DeadLetterQuery{})->items.size()};
    };
    EXPECT_EQ(found_by("default"), (std::vector<std::size_t>(14, 1)));
    EXPECT_EQ(found_by("acme"), (std::vector<std::size_t>(14, 0)));
    EXPECT_EQ(world.reads("acme").ask(InstanceQuery{})->items.size(), 1u);
    EXPECT_EQ(
        world.reads("acme").ask(InstanceQuery{.business_key = "b-1"})->items.at(0).instance.id,
        other);
    EXPECT_EQ(world.reads("nobody").ask(InstanceQuery{})->items.size(), 0u);
    EXPECT_EQ(world.reads("nobody").ask(DefinitionQuery{})->size(), 0u);
    EXPECT_FALSE(*world.reads("nobody").ask(FindDefinition{{"orders", 0}}));
}

TEST_P(Tenants, TheSameKeysOfTwoTenantsDoNotMeet) {
    const auto define = [&](const std::string& tenant, const std::string& schema) {
        op::Define define{.cause = world.cause_of(tenant), .key = "orders"};
        define.schema = schema;
        EXPECT_TRUE(define.complete());
        return std::get<op::Defined>(world.run(define)).definition->ref.version;
    };
    EXPECT_EQ(define("default", R"({"required":["a"]})"), 1u);
    EXPECT_EQ(define("acme", R"({"required":["b"]})"), 1u);
    EXPECT_EQ(define("acme", R"({"required":["b","c"]})"), 2u);
    const auto start = [&](const std::string& tenant, const std::string& state) {
        return world.run(op::Start{.cause = world.cause_of(tenant),
                                   .client_key = op::ClientKey{"k", sha256("same")},
                                   .definition = "orders",
                                   .business = {.key = "b-1", .parts = {}},
                                   .state = document(state),
                                   .state_metadata = document("{}")});
    };
    EXPECT_TRUE(std::holds_alternative<op::InvalidState>(start("acme", R"({"a":1})")));
    const auto mine = std::get<op::Started>(start("default", R"({"a":1})")).instance;
    const auto theirs = std::get<op::Started>(start("acme", R"({"b":1,"c":1})")).instance;
    EXPECT_EQ(mine.definition.version, 1u);
    EXPECT_EQ(theirs.definition.version, 2u);
    EXPECT_EQ(std::get<op::Started>(start("acme", R"({"b":1,"c":1})")).instance.id, theirs.id)
        << "a repeat with the same key";
    for (const Instance& one : {mine, theirs}) {
        const auto page = world.reads(one.tenant).ask(InstanceQuery{.business_key = "b-1"});
        ASSERT_EQ(page->items.size(), 1u);
        EXPECT_EQ(page->items[0].instance.id, one.id);
        world.run(op::Suspend{
            .cause = world.cause_of(one.tenant), .instance = one.id, .wait = {.names = {"paid"}}});
    }
    const auto sent = world.run(world.event_of("acme", std::nullopt));
    EXPECT_EQ(std::get<op::Delivered>(sent).to, theirs.id);
    EXPECT_EQ(world.read(mine.id).status, Status::suspended);
    EXPECT_EQ(std::get<op::Delivered>(world.run(world.event_of("default", std::nullopt))).to,
              mine.id);
}

TEST_P(Tenants, WhatIsBelowAnInstanceInheritsItsTenant) {
    world.start_of("acme", "child");
    const InstanceId parent = world.start_of("acme");
    const op::Fork fork{.cause = world.cause_of("acme"), .source = parent, .checkpoint = "c"};
    world.run(
        op::Checkpoint{.cause = world.cause_of("acme"), .instance = parent, .checkpoint = "c"});
    world.run(fork);
    EXPECT_EQ(world.read(fork.instance()).tenant, "acme");
    const op::StartChild child{.cause = world.cause_of("acme"),
                               .instance = parent,
                               .step_name = "start",
                               .definition = "child"};
    world.run(child);
    EXPECT_EQ(world.read(child.child()).tenant, "acme");
}

TEST_P(Tenants, TheEngineActsForEveryTenant) {
    const InstanceId id = world.start_of("acme");
    world.run(op::Suspend{.cause = world.cause_of("acme"),
                          .instance = id,
                          .wait = {.names = {"paid"}, .until = Moment{std::chrono::hours(1)}}});
    EXPECT_EQ(world.read(id).status, Status::running) << "it was due already";
    world.run(op::Cancel{.cause = Cause::of_engine(world.ids.next<OperationId>()), .instance = id});
    const auto rows = world.history(id);
    EXPECT_EQ(rows.back().type, HistoryType::cancelled);
    EXPECT_EQ(rows.back().cause.tenant(), "acme");
    EXPECT_EQ(rows.back().cause.caller.user, "");
}

TEST_P(Tenants, AClearedIdStaysWithItsTenant) {
    const InstanceId id = world.start_of("acme");
    world.run(op::Clear{.cause = world.cause_of("acme"), .instance = id});
    EXPECT_EQ(world.reads("default").ask(HistoryQuery{id})->items.size(), 0u);
    EXPECT_EQ(world.reads("acme").ask(HistoryQuery{id})->items.size(), 2u);
    const auto write = [&](const std::string& tenant) {
        Instance instance{.id = id, .definition = {"orders", 1}};
        instance.state = document("{}");
        instance.state_metadata = document("{}");
        return world.run(op::Write{.cause = world.cause_of(tenant), .instance = instance});
    };
    EXPECT_TRUE(std::holds_alternative<op::InconsistentState>(write("default")));
    EXPECT_TRUE(std::holds_alternative<op::Written>(write("acme")));
    EXPECT_EQ(world.read(id).tenant, "acme");
}

// Its timer comes from the engine, which finds everybody's workflows.
TEST_P(Tenants, AScheduleReachesOnlyItsOwn) {
    const InstanceId theirs = world.start_of("default");
    const InstanceId ours = world.start_of("acme");
    const auto put = [&](const char* name, const InstanceId& target) {
        const boost::json::object spec{
            {"every", "1s"},
            {"send", boost::json::object{{"event", "paid"}, {"workflow", to_string(target)}}}};
        return std::get<op::SchedulePut>(world.run(op::PutSchedule{.cause = world.cause_of("acme"),
                                                                   .schedule = name,
                                                                   .spec = Document::of(spec)}))
            .instance.id;
    };
    const InstanceId schedules[] = {put("to-them", theirs), put("to-us", ours)};
    const auto fired = [&](const InstanceId& id) {
        return schedule::read_schedule(world.read(id)).value().progress.fired;
    };
    for (const InstanceId& id : schedules)
        while (fired(id) == 0)
            world.run(op::FireTimer{.cause = Cause::of_engine(world.ids.next<OperationId>()),
                                    .instance = id,
                                    .token = world.read(id).waits.front().token});
    const auto queued = [&](const InstanceId& id) {
        return world.store->ask(PendingEventQuery{{.target = id}})->items.size();
    };
    EXPECT_EQ(queued(theirs), 0u);
    EXPECT_GE(queued(ours), 1u);
    const auto stranger = world.run(op::DirectSchedule{.cause = world.cause_of("default"),
                                                       .instance = schedules[1],
                                                       .request = document(R"({"do":"trigger"})")});
    EXPECT_TRUE(std::holds_alternative<op::NotFound>(stranger));
}

TEST_P(Tenants, TheCallerIsRecordedAndTheChainCoversIt) {
    const Belongings its = world.belongings_of("acme");
    const Caller caller = world.cause_of("acme").caller;
    world.run(op::EditState{.cause = world.cause_of("acme"),
                            .instance = its.instance,
                            .expected = 1,
                            .edit = op::MergePatch{document(R"({"n":2})")}});
    EXPECT_EQ(world.reads("acme").ask(ConflictQuery{})->items.at(0).caller, caller);
    EXPECT_EQ(world.reads("default").ask(ConflictQuery{})->items.size(), 0u);
    world.run(
        op::ClaimTask{.cause = world.cause_of("acme"), .instance = its.instance, .task = its.task});
    EXPECT_EQ(world.reads("acme").ask(TaskEventQuery{its.task})->items.back().caller, caller);
    if (world.place.kind() != "memory") world.restart();
    Digest hash{};
    std::size_t by_caller = 0;
    for (const HistoryRow& row : world.history(its.instance)) {
        HistoryRow forged = row;
        forged.cause.caller.roles = {"owner"};
        EXPECT_NE(chain(hash, forged), row.hash);
        hash = chain(hash, row);
        EXPECT_EQ(hash, row.hash) << row.version;
        by_caller += row.cause.caller == caller;
    }
    EXPECT_GE(by_caller, 3u);
    const auto traced = op::operation_json(op::Cancel{.cause = world.cause_of("acme")});
    EXPECT_EQ(traced.at("cause").at("caller").at("tenant"), "acme");
    EXPECT_EQ(traced.at("cause").at("caller").at("groups").as_array().at(0), "clerks");
}

INSTANTIATE_TEST_SUITE_P(Stores, Tenants, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
