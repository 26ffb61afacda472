#include "operations/definitions/define.h"

#include "operations/events/react.h"
#include "operations/lifecycle/ending.h"
#include "operations/lifecycle/start.h"
#include "operations/limits/turns.h"
#include "program/kinds.h"
#include "program/outside.h"

namespace holdfast::op {

namespace {

// What the definer brings, joined with what the other brought to the newest version.
Definition joined(const Define& op, const Definition* newest) {
    if (newest && op.program) {
        Definition definition = *newest;
        definition.kind = op.kind;
        definition.source = op.source;
        definition.program = op.program;
        return definition;
    }
    return {.schema = op.schema,
            .indexes = op.indexes,
            .kind = newest ? newest->kind : op.kind,
            .source = newest ? newest->source : op.source,
            .retention = op.retention,
            .limits = op.limits,
            .disabled = newest && newest->disabled,
            .compiled = op.compiled,
            .program = newest       ? newest->program
                       : op.program ? op.program
                                    : outside_program()};
}

// Whether the newest version has the same program. A source may have megabytes: they are compared,
// which takes a hundredth of the time of a checksum.
bool is_repeated(const Define& op, const Definition* newest) {
    return newest && op.program && newest->kind == op.kind && newest->source == op.source;
}

bool has_starter(const Definition* definition) {
    return definition && !definition->disabled && definition->program &&
           definition->program->starts_by_events();
}

// The starter of the version before does not start anything any more.
void close_starter(View& view, const InstanceId& id, const std::string& reason,
                   const Cause& cause) {
    ReadSet needed;
    needed.instance(id, Depth::row);
    read_end(needed, id);
    view.expect(needed);
    const Instance* starter = view.find(id);
    if (!starter || !is_open(starter->status)) return;
    react(view, id, stimulus::CancelRequested{reason}, cause);
}

void open_starter(View& view, const InstanceId& id, const Definition& definition,
                  const Cause& cause) {
    ReadSet needed;
    needed.instance(id, Depth::row);
    view.expect(needed);
    Instance starter{.id = id, .tenant = definition.tenant};
    starter.state = Document::of(boost::json::object{});
    starter.state_metadata = Document::of(boost::json::object{});
    begin_instance(view, definition, std::move(starter), stimulus::StartsOpened{}, cause);
}

}  // namespace

Result<void> Define::complete() {
    if (schema) {
        HF_TRY(compiled, StateSchema::compile(*schema));
    }
    if (kind == Definition{}.kind) return {};
    HF_TRY(program,
           ProgramKinds::known().compile({.ref = {key, 1}, .kind = kind, .source = source}));
    return {};
}

void reads(const Define& op, ReadSet& reads) { reads.definition({op.cause.tenant(), op.key}); }

Defined put_version(View& view, const Definition* newest, Definition wanted, const Cause& cause) {
    wanted.tenant = cause.tenant();
    wanted.ref.version = newest ? newest->ref.version + 1 : 1;
    wanted.created_by = cause.caller.user;
    wanted.created_at = view.now();
    wanted.checksum = content_checksum(wanted);
    if (newest && newest->checksum == wanted.checksum)
        return {std::make_shared<const Definition>(*newest), false};
    auto definition = std::make_shared<const Definition>(std::move(wanted));
    const bool closes = has_starter(newest);
    const std::optional<Limits> newest_limits = newest ? newest->limits : std::nullopt;
    const InstanceId before = closes ? starter_of(cause.tenant(), newest->ref) : InstanceId{};
    view.add(definition);
    const std::string reason =
        definition->disabled ? "the definition was disabled"
                             : "replaced by version " + std::to_string(definition->ref.version);
    if (closes) close_starter(view, before, reason, cause);
    if (has_starter(definition.get()))
        open_starter(view, starter_of(cause.tenant(), definition->ref), *definition, cause);
    if (newest_limits && newest_limits != definition->limits)
        tell_limiters(view, *definition, cause);
    return {definition, true};
}

Defined define(View& view, const Define& op, const Cause& cause) {
    const Definition* newest = view.newest_definition({cause.tenant(), op.key});
    if (is_repeated(op, newest)) return {std::make_shared<const Definition>(*newest), false};
    Definition wanted = joined(op, newest);
    wanted.ref.key = op.key;
    return put_version(view, newest, std::move(wanted), cause);
}

Define::Outcome decide(const Define& op, View& view) { return define(view, op, op.cause); }

}  // namespace holdfast::op
