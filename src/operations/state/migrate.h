// Takes an open instance over to another version of its definition, whole or not at all.
#pragma once

#include <variant>
#include <vector>

#include "model/migration.h"
#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Migrated {
    static constexpr std::string_view name = "migrated";

    Version version = 0;
    std::uint64_t from = 0;  // of the definition; the same: it had that version already
    std::uint64_t to = 0;
    MigrationReport report;

    static void describe(auto& outcome, auto& with) {
        with("version", outcome.version);
        with("from", outcome.from);
        with("to", outcome.to);
        with("report", outcome.report);
    }
};
// A dry run: so it would be. Nothing is changed.
struct CanMigrate {
    static constexpr std::string_view name = "canMigrate";

    Version version = 0;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    MigrationReport report;

    static void describe(auto& outcome, auto& with) {
        with("version", outcome.version);
        with("from", outcome.from);
        with("to", outcome.to);
        with("report", outcome.report);
    }
};
// The report has problems; nothing is changed.
struct CannotMigrate {
    static constexpr std::string_view name = "cannotMigrate";

    Version version = 0;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    MigrationReport report;

    static void describe(auto& outcome, auto& with) {
        with("version", outcome.version);
        with("from", outcome.from);
        with("to", outcome.to);
        with("report", outcome.report);
    }
};

struct Migrate {
    static constexpr std::string_view name = "migrate";
    using Outcome =
        std::variant<Migrated, CanMigrate, CannotMigrate, Stale, NotFound, Ended, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::optional<Version> expected;     // absent: any version
    std::uint64_t to = 0;                // version of the definition
    std::vector<MappedElement> mapping;  // others keep their id
    std::string reason;
    bool dry_run = false;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("expected", op.expected);
        with("to", op.to);
        with("mapping", op.mapping);
        with("reason", op.reason);
        with("dryRun", op.dry_run);
    }
};

void reads(const Migrate& op, ReadSet& reads);
Migrate::Outcome decide(const Migrate& op, View& view);

}  // namespace holdfast::op
