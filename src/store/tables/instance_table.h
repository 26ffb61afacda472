// The columns of `instances`, without those that several members or tables share: the waits, the
// checksums of the documents and that of the row.
#pragma once

#include "model/codec/codec.h"
#include "model/instance.h"
#include "store/load_document.h"
#include "store/tables/decode.h"

namespace holdfast {

inline std::optional<Status> parse_name(std::string_view name, std::type_identity<Status>) {
    return parse_status(name);
}

namespace tables {

// Named parts as one JSON object; null without any.
template <class SomeParts>
struct NamedParts {
    SomeParts& parts;
};
template <class SomeParts>
NamedParts<SomeParts> named_parts(SomeParts& parts) {
    return {parts};
}
template <class SomeParts>
struct Stored<NamedParts<SomeParts>> {
    using Column = std::optional<JsonText>;
    static Column to_column(const NamedParts<SomeParts>& member) {
        auto text = parts_to_json(member.parts);
        return text ? std::optional(JsonText{*std::move(text)}) : std::nullopt;
    }
    static bool from_column(const Column& column, const NamedParts<SomeParts>& member) {
        auto parts = column ? parts_from_json(column->text) : std::optional<Parts>(Parts{});
        if (!parts) return false;
        member.parts = *std::move(parts);
        return true;
    }
};

// What a program keeps about an instance, as one text.
template <class Owner>
struct ProgramText {
    Owner& instance;
};
template <class Owner>
struct Stored<ProgramText<Owner>> {
    using Column = std::optional<std::string>;
    static Column to_column(const ProgramText<Owner>& member) {
        return program_text(member.instance);
    }
    static bool from_column(const Column& column, const ProgramText<Owner>& member) {
        return !column || bool(read_program_text(*column, member.instance));
    }
};

// Rarely changes: who and what it is.
struct InstanceIdentity {
    static constexpr std::string_view name = "instance_identity";
    using Row = Instance;

    template <class Visit, class SomeInstance>
    static void columns(Visit& visit, SomeInstance& i) {
        visit("definition_key", i.definition.key);
        visit("definition_version", i.definition.version);
        visit("business_key", or_null(i.business.key));
        visit("business_parts", named_parts(i.business.parts));
        visit("started_by", or_null(i.started_by));
        visit("parent_id", i.parent);
        visit("created_at", i.created_at);
        visit("execution_started_at", i.execution_started_at);
    }
};

// Written with every move of a program. As no index has any of them, nor any condition of one,
// SQLite leaves the indexes alone.
struct InstanceMove {
    static constexpr std::string_view name = "instance_move";
    using Row = Instance;

    template <class Visit, class SomeInstance>
    static void columns(Visit& visit, SomeInstance& i) {
        visit("status", i.status);
        visit("version", i.version);
        visit("rev", i.rev);
        visit("history_hash", i.history_hash);
        visit("updated_at", i.updated_at);
        visit("run", i.run);
        visit("activity_index", i.index);
        visit("result", i.result);
        visit("last_error_code", i.last_error);
        visit("last_executed_by", i.last_executed_by);
        visit("last_executed_at", i.last_executed_at);
        visit("program_json", ProgramText<SomeInstance>{i});
    }
};

// Written with every edit and checkpoint; no index has any of them either.
struct InstanceEdit {
    static constexpr std::string_view name = "instance_edit";
    using Row = Instance;

    template <class Visit, class SomeInstance>
    static void columns(Visit& visit, SomeInstance& i) {
        InstanceMove::columns(visit, i);
        visit("last_modified_by", or_null(i.last_modified_by));
        visit("last_modified_at", i.last_modified_at);
        visit("checkpoint_name", part_of(i.last_checkpoint, &LastCheckpoint::name));
        visit("checkpoint_version", part_of(i.last_checkpoint, &LastCheckpoint::version));
        visit("checkpoint_at", part_of(i.last_checkpoint, &LastCheckpoint::at));
        visit("cancel_reason", i.cancel_reason);
    }
};

// Written with every other change: an index has these, or a condition of one.
struct InstanceProgress {
    static constexpr std::string_view name = "instance_progress";
    using Row = Instance;

    template <class Visit, class SomeInstance>
    static void columns(Visit& visit, SomeInstance& i) {
        InstanceEdit::columns(visit, i);
        visit("incident", i.incident);
        visit("paused", i.paused);
        visit("quarantined", i.quarantined);
        visit("completed_at", i.completed_at);
    }
};

struct Instances {
    static constexpr std::string_view name = "instances";
    using Row = Instance;

    template <class Visit, class SomeInstance>
    static void columns(Visit& visit, SomeInstance& i) {
        visit("id", i.id);
        visit("tenant", i.tenant);
        InstanceIdentity::columns(visit, i);
        InstanceProgress::columns(visit, i);
    }
};

// Reads a row of instances. False: it is corrupt.
template <class Row>
bool read_instance_columns(Row& row, Instance& instance) {
    Decode decode(row);
    Instances::columns(decode, instance);
    if (decode.unknown() == "status") instance.status = Status::failed;  // not one that goes on
    return decode.unknown().empty();
}

}  // namespace tables
}  // namespace holdfast
