#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "operations/operation_readers.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

void read_schema(MemberReader& reader, Define& op) {
    if (reader.is_absent("schema")) return;
    op.schema = json::canonical(reader.value("schema"));
    op.compiled = take(reader, "schema", StateSchema::compile(*op.schema));
}

Edit read_edit(const bj::value& value, MemberReader& outer) {
    MemberReader reader(value);
    const std::string kind = reader.text("kind");
    Edit edit;
    if (kind == "replace") {
        edit = Replace{.state = read_optional_document(reader, "state"),
                       .state_metadata = read_optional_document(reader, "stateMetadata")};
    } else if (kind == "mergePatch") {
        edit = MergePatch{reader.document("patch")};
    } else if (kind == "jsonPatch") {
        edit = JsonPatch{.patch = take(reader, "patch", json::parse_patch(reader.value("patch"))),
                         .source = reader.document("patch")};
    } else {
        reader.blame("kind");
    }
    return take(outer, "edit", reader.give(std::move(edit)));
}

// The members that only Write has.
void read_rest(MemberReader& outer, Instance& instance) {
    MemberReader reader(outer.value("instance"));
    instance.tenant = reader.text("tenant");
    instance.children = take(reader, "children", children_from_json(reader.value("children")));
    instance.result.reset();
    if (reader.flag("hasResult")) instance.result = reader.document("result");
    if (!reader.give(true)) outer.blame("instance");
}

}  // namespace

void read(MemberReader& reader, Define& op) {
    op.key = reader.text("key");
    read_schema(reader, op);
    for (const std::string& path : reader.texts("indexes"))
        op.indexes.push_back(take(reader, "indexes", json::parse_path(path)));
    if (reader.has("kind"))
        op.kind = take(reader, "kind", parse_definition_kind(reader.text("kind")));
    op.retention.keep_for = read_duration(reader, "keepForMicroseconds");
    op.retention.stale_after = read_duration(reader, "staleAfterMicroseconds");
}

void read(MemberReader& reader, Start& op) {
    op.definition = reader.text("definition");
    op.business =
        take(reader, "businessReference", business_from_json(reader.value("businessReference")));
    op.state = reader.document("state");
    op.state_metadata = reader.document("stateMetadata");
    op.arguments = reader.document("arguments");
}

void read(MemberReader& reader, EditState& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.expected = read_expected(reader);
    op.edit = read_edit(reader.value("edit"), reader);
    op.on_conflict = take(reader, "onConflict", parse_on_conflict(reader.text("onConflict")));
}

void read(MemberReader& reader, Cancel& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.expected = read_expected(reader);
    op.reason = reader.text("reason");
}

void read(MemberReader& reader, Clear& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.expected = read_expected(reader);
}

void read(MemberReader& reader, Checkpoint& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.checkpoint = reader.text("name");
    op.expected = read_expected(reader);
}

void read(MemberReader& reader, Restore& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.checkpoint = reader.text("checkpoint");
    op.expected = read_expected(reader);
}

void read(MemberReader& reader, Fork& op) {
    op.source = reader.id<InstanceId>("source");
    op.checkpoint = reader.text("checkpoint");
    if (reader.is_absent("businessReference")) return;
    op.business =
        take(reader, "businessReference", business_from_json(reader.value("businessReference")));
}

void read(MemberReader& reader, Write& op) {
    op.instance = take(reader, "instance", instance_from_json(reader.value("instance")));
    read_rest(reader, op.instance);
    op.expected = read_expected(reader);
}

void read(MemberReader& reader, Read& op) { op.instance = reader.id<InstanceId>("instance"); }

void read(MemberReader& reader, Release& op) {
    op.instance = reader.id<InstanceId>("instance");
    op.state = read_optional_document(reader, "state");
    op.state_metadata = read_optional_document(reader, "stateMetadata");
}

void read(MemberReader& reader, Quarantine& op) { op.instance = reader.id<InstanceId>("instance"); }

}  // namespace holdfast::op
