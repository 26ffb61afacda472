#include "operations/state/migrate.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "operations/events/react.h"
#include "program/limiter/program.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

std::string payload_of(const Migrate& op, std::uint64_t from) {
    bj::object mapping;
    for (const MappedElement& one : op.mapping) mapping[one.from] = one.to;
    return json::canonical(
        bj::object{{"from", from}, {"to", op.to}, {"mapping", mapping}, {"reason", op.reason}});
}

Migration migration_to(const Definition* target, const Migrate& op, View& view) {
    const Instance& instance = *view.find(op.instance);
    Migration migration;
    if (!target) {
        migration.report.blame("", "the definition '" + instance.definition.key +
                                       "' has no version " + std::to_string(op.to));
        return migration;
    }
    const Program& from = view.program(instance);
    if (wait_for_turn(instance)) {
        migration.report.blame("", "it waits for its turn; migrate it when it runs");
        return migration;
    }
    view.expect_depth(op.instance, std::max(from.depth(), target->program->depth()));
    migration = target->program->migrate(instance, from, op.mapping, view.now());
    if (const auto invalid = check_schema(view, target, instance.state))
        for (const SchemaViolation& violation : invalid->violations)
            migration.report.blame("", "the state does not fit the schema of the target: " +
                                           violation.path + ": " + violation.message);
    return migration;
}

}  // namespace

void reads(const Migrate& op, ReadSet& reads) { reads.instance(op.instance, Depth::whole); }

Migrate::Outcome decide(const Migrate& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
    if (is_quarantined(view, *instance)) return Quarantined{};
    if (!is_open(instance->status)) return Ended{instance->status, instance->version};
    if (op.expected && *op.expected != instance->version)
        return refuse_stale(view, *instance, *op.expected, op.cause);
    const std::uint64_t from = instance->definition.version;
    if (from == op.to) return Migrated{instance->version, from, op.to, {}};

    DefinitionRef wanted{instance->definition.key, static_cast<std::uint32_t>(op.to)};
    const Definition* target = view.definition({instance->tenant, wanted});
    Migration migration = migration_to(target, op, view);
    if (!migration.report.problems.empty())
        return CannotMigrate{instance->version, from, op.to, std::move(migration.report)};
    if (op.dry_run) return CanMigrate{instance->version, from, op.to, std::move(migration.report)};

    view.edit(op.instance).definition = std::move(wanted);
    migration.reaction.history.insert(migration.reaction.history.begin(),
                                      {HistoryType::migrated, payload_of(op, from)});
    apply_reaction(view, op.instance, std::move(migration.reaction), op.cause);
    return Migrated{view.find(op.instance)->version, from, op.to, std::move(migration.report)};
}

}  // namespace holdfast::op
