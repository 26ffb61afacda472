// A program decides what happens next to the instances of a definition. It is pure: given the
// instance, what happened to it and the time, it answers with a reaction.
#pragma once

#include <memory>
#include <vector>

#include "model/migration.h"
#include "model/schema/state_schema.h"
#include "program/reaction.h"
#include "program/stimulus.h"

namespace holdfast {

// How an instance of another version goes on with a program. With problems in the report, nothing
// of the reaction is applied.
struct Migration {
    MigrationReport report;
    Reaction reaction;
};

class Program {
public:
    virtual ~Program() = default;

    virtual RunBy run_by() const = 0;
    // How much of an instance it looks at.
    virtual Depth depth() const { return Depth::row; }
    // Whether a call may start an instance.
    virtual bool starts_by_call() const { return true; }
    // Whether events or timers start instances: then every version has a starter (001.25).
    virtual bool starts_by_events() const { return false; }
    // Of a state that somebody wants the instance to have: what of it is for the program alone to
    // say. Empty: it may have it.
    virtual std::vector<SchemaViolation> check_state(const Instance&, const Document&) const {
        return {};
    }
    // A state of earlier, with what is for the program alone to say as it is now.
    virtual Document with_own_state(const Instance&, Document earlier) const { return earlier; }
    virtual Reaction react(const Instance& instance, const Stimulus& stimulus,
                           Moment now) const = 0;
    // Takes over an open instance that `from` has moved so far.
    virtual Migration migrate(const Instance&, const Program& from,
                              const std::vector<MappedElement>& mapping, Moment now) const {
        (void)from, (void)mapping, (void)now;
        Migration migration;
        migration.report.blame("", "programs of its kind take over no instances");
        return migration;
    }
};

}  // namespace holdfast
