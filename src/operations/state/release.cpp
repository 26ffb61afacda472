#include "operations/state/release.h"

#include "model/codec/codec.h"
#include "operations/events/suspend.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

// The document with a checksum of its actual content.
Document as_it_is(const Document& document) { return Document::of(document.value()); }

}  // namespace

void reads(const Release& op, ReadSet& reads) { reads.instance(op.instance, Depth::document); }

Release::Outcome decide(const Release& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (!is_quarantined(view, *found)) return NotQuarantined{found->version};
    const bool repaired = op.state || op.state_metadata;
    if (view.is_corrupt(op.instance) && !repaired) return StillCorrupt{found->version};

    const Document state = op.state.value_or(as_it_is(found->state));
    if (auto invalid = check_schema(view.definition(found->definition), state))
        return *std::move(invalid);
    Instance& instance = view.edit(op.instance);
    instance.quarantined = false;
    instance.state = state;
    instance.state_metadata = op.state_metadata.value_or(as_it_is(found->state_metadata));
    instance.last_modified_by = op.cause.user;
    instance.last_modified_at = view.now();
    view.accept(instance, {.type = HistoryType::released,
                           .payload = instance.state.text(),
                           .state_metadata = instance.state_metadata.text(),
                           .cause = op.cause});
    view.mark_sound(op.instance);
    Released released{instance.version, instance.state};
    // Its wait was not registered while it was quarantined; that of a paused one stays so.
    if (instance.status == Status::suspended && !instance.paused)
        wait_on(view, op.instance, op.cause);
    return released;
}

bj::object to_json(const Release& op) {
    bj::object object{{"operation", op.name},
                      {"cause", to_json(op.cause)},
                      {"clientKey", to_json(op.client_key)},
                      {"instance", to_string(op.instance)}};
    if (op.state) object["state"] = op.state->value();
    if (op.state_metadata) object["stateMetadata"] = op.state_metadata->value();
    return object;
}

bj::object to_json(const Released& outcome) {
    return named("released", {{"version", outcome.version}, {"state", outcome.state.value()}});
}

bj::object to_json(const NotQuarantined& outcome) {
    return named("notQuarantined", {{"version", outcome.version}});
}

bj::object to_json(const StillCorrupt& outcome) {
    return named("stillCorrupt", {{"version", outcome.version}});
}

Result<Released> released_from_json(const bj::value& value) {
    return Released{value.at("version").to_number<Version>(), Document::of(value.at("state"))};
}

}  // namespace holdfast::op
