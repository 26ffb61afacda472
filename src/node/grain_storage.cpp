#include "holdfast/grain_storage.h"

#include <prometheus/registry.h>

#include <charconv>

#include "base/ids/id_source.h"
#include "base/time/clock.h"
#include "node/thrown.h"
#include "operations/lifecycle/clear.h"
#include "operations/state/read.h"
#include "operations/state/write.h"
#include "round/coordinator.h"
#include "store/options.h"

namespace holdfast {
namespace {

template <class SomeId>
SomeId read_id(const std::string& text) {
    if (const auto id = parse_id<SomeId>(text)) return *id;
    throw Misuse("'" + text + "' is not a UUID; GrainStorage::new_id() makes one");
}

std::string etag_of(const std::optional<Version>& version) {
    return version ? std::to_string(*version) : std::string();
}

std::optional<Version> version_of(const std::string& etag) {
    if (etag.empty()) return std::nullopt;
    Version version = 0;
    const auto [end, error] = std::from_chars(etag.data(), etag.data() + etag.size(), version);
    if (error != std::errc() || end != etag.data() + etag.size())
        throw Misuse("'" + etag + "' is not an ETag of a grain");
    return version;
}

std::vector<Activity> activities_of(const std::vector<GrainActivity>& list) {
    std::vector<Activity> activities;
    for (const GrainActivity& one : list)
        activities.push_back({read_id<ActivityInstanceId>(one.id), one.activity});
    return activities;
}

std::vector<GrainActivity> shown(const std::vector<Activity>& list) {
    std::vector<GrainActivity> activities;
    for (const Activity& one : list) activities.push_back({to_string(one.id), one.activity});
    return activities;
}

Children children_of(const Grain& grain) {
    Children children{.active = activities_of(grain.active),
                      .completed = activities_of(grain.completed)};
    for (const GrainScope& scope : grain.variables)
        children.variables.push_back({read_id<ScopeId>(scope.id), Document::of(scope.variables)});
    for (const auto& [gateway, list] : grain.conditions)
        for (const GrainCondition& one : list)
            children.conditions[read_id<ActivityInstanceId>(gateway)].push_back(
                {read_id<ConditionId>(one.id), one.sequence_flow, one.result, one.evaluated});
    for (const GrainFork& fork : grain.forks) {
        OpenFork& open = children.forks.emplace_back(
            OpenFork{read_id<ForkId>(fork.id), read_id<ActivityInstanceId>(fork.gateway), {}});
        for (const std::string& token : fork.tokens) open.tokens.push_back(read_id<TokenId>(token));
    }
    return children;
}

void show_children(const Children& children, Grain& grain) {
    grain.active = shown(children.active);
    grain.completed = shown(children.completed);
    for (const VariableScope& scope : children.variables)
        grain.variables.push_back({to_string(scope.id), scope.variables.value()});
    for (const auto& [gateway, list] : children.conditions)
        for (const Condition& one : list)
            grain.conditions[to_string(gateway)].push_back(
                {to_string(one.id), one.sequence_flow, one.result, one.evaluated});
    for (const OpenFork& fork : children.forks) {
        GrainFork& open =
            grain.forks.emplace_back(GrainFork{to_string(fork.id), to_string(fork.gateway), {}});
        for (const TokenId& token : fork.tokens) open.tokens.push_back(to_string(token));
    }
}

Instance instance_of(const InstanceId& id, const Grain& grain) {
    Instance instance;
    instance.id = id;
    instance.definition = {grain.definition, 1};
    instance.business.key = grain.business_key;
    instance.status = grain.completed_at ? Status::succeeded : Status::running;
    instance.created_at = grain.created_at;
    instance.execution_started_at = grain.execution_started_at;
    instance.completed_at = grain.completed_at;
    instance.state = Document::of(grain.state);
    instance.state_metadata = Document::of(grain.metadata);
    instance.children = children_of(grain);
    return instance;
}

Grain grain_of(const Instance& instance) {
    Grain grain{.definition = instance.definition.key,
                .business_key = instance.business.key,
                .state = instance.state.value(),
                .metadata = instance.state_metadata.value(),
                .created_at = instance.created_at,
                .execution_started_at = instance.execution_started_at,
                .completed_at = instance.completed_at};
    show_children(instance.children, grain);
    grain.etag = etag_of(instance.version);
    return grain;
}

}  // namespace

InconsistentState::InconsistentState(const std::string& id, std::string its_stored,
                                     std::string its_expected)
    : Exception("grain " + id + " has the ETag '" + its_stored + "', not '" + its_expected +
                "': read it again"),
      stored(std::move(its_stored)),
      expected(std::move(its_expected)) {}

struct GrainStorage::Parts {
    explicit Parts(const std::string& url)
        : store(value_of(open_store(url, {.clock = &clock}))),
          coordinator(value_of(Coordinator::open(*store, ids, metrics))) {}
    ~Parts() { coordinator->shutdown(); }

    template <class Op>
    typename Op::Outcome run(Op op) {
        op.cause.operation = ids.next<OperationId>();
        return value_of(coordinator->submit(std::move(op)).get());
    }

    SystemClock clock;
    IdSource ids{clock};
    prometheus::Registry registry;
    CoordinatorMetrics metrics{registry};
    std::unique_ptr<Store> store;
    std::unique_ptr<Coordinator> coordinator;
};

GrainStorage::GrainStorage(const std::string& store) : parts_(std::make_unique<Parts>(store)) {}
GrainStorage::~GrainStorage() = default;

std::optional<Grain> GrainStorage::read(const std::string& id) {
    const auto outcome = parts_->run(op::Read{.cause = {}, .instance = read_id<InstanceId>(id)});
    const auto* found = std::get_if<op::Found>(&outcome);
    return found ? std::optional(grain_of(found->instance)) : std::nullopt;
}

void GrainStorage::write(const std::string& id, Grain& grain) {
    const auto instance = read_id<InstanceId>(id);
    const auto outcome = parts_->run(op::Write{
        .cause = {}, .instance = instance_of(instance, grain), .expected = version_of(grain.etag)});
    if (const auto* stale = std::get_if<op::InconsistentState>(&outcome))
        throw InconsistentState(id, etag_of(stale->stored), grain.etag);
    if (std::holds_alternative<op::Quarantined>(outcome))
        throw Unavailable("grain " + id + " is damaged: its checksum does not match");
    grain.etag = etag_of(std::get<op::Written>(outcome).version);
}

void GrainStorage::clear(const std::string& id, Grain& grain) {
    // No version matches a grain that was not read.
    const auto outcome = parts_->run(op::Clear{.cause = {},
                                               .instance = read_id<InstanceId>(id),
                                               .expected = version_of(grain.etag).value_or(0)});
    if (const auto* stale = std::get_if<op::Stale>(&outcome))
        throw InconsistentState(id, etag_of(stale->actual), grain.etag);
    if (std::holds_alternative<op::Quarantined>(outcome))
        throw Unavailable("grain " + id + " is damaged: its checksum does not match");
    grain.etag.clear();
}

std::string GrainStorage::new_id() { return to_string(parts_->ids.next<InstanceId>()); }

}  // namespace holdfast
