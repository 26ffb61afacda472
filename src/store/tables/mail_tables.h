// The columns of events, of what became of them, and of the journal.
#pragma once

#include "model/event.h"
#include "model/journal.h"
#include "store/tables/instance_table.h"

namespace holdfast {

inline std::optional<OnTargetEnded> parse_name(std::string_view name,
                                               std::type_identity<OnTargetEnded>) {
    return parse_on_target_ended(name);
}
inline std::optional<EventFate> parse_name(std::string_view name, std::type_identity<EventFate>) {
    return parse_event_fate(name);
}
inline std::optional<WinnerType> parse_name(std::string_view name, std::type_identity<WinnerType>) {
    return parse_winner_type(name);
}
inline std::string_view name_of(StepResult result) {
    return result == StepResult::error ? "error" : "value";
}
inline std::optional<StepResult> parse_name(std::string_view name, std::type_identity<StepResult>) {
    if (name == "value") return StepResult::value;
    return name == "error" ? std::optional(StepResult::error) : std::nullopt;
}

namespace tables {

template <>
struct Stored<Keep> {
    using Column = bool;
    static bool to_column(Keep member) { return member == Keep::yes; }
    static bool from_column(Column column, Keep& member) {
        member = column ? Keep::yes : Keep::no;
        return true;
    }
};

// Null for an event that nothing holds.
template <>
struct Stored<Hold> {
    using Column = std::optional<std::string>;
    static std::optional<std::string_view> to_column(Hold member) {
        return member == Hold::none ? std::nullopt : std::optional(name_of(member));
    }
    static bool from_column(const Column& column, Hold& member) {
        const auto hold = column ? parse_hold(*column) : std::optional(Hold::none);
        if (hold) member = *hold;
        return hold.has_value();
    }
};

// An instance in a key, where the nil id means none.
template <class Optional>
struct OrNil {
    Optional& id;
};
template <class Optional>
OrNil<Optional> or_nil(Optional& id) {
    return {id};
}
template <class Optional>
struct Stored<OrNil<Optional>> {
    using Column = InstanceId;
    static const InstanceId& to_column(const OrNil<Optional>& member) {
        static constexpr InstanceId nil{};
        return member.id ? *member.id : nil;
    }
    static bool from_column(const InstanceId& column, const OrNil<Optional>& member) {
        if (column != InstanceId{}) member.id = column;
        return true;
    }
};

// A large value of an event or an entry is stored once; its row has the digest instead.
template <class SomeRow>
struct OwnValue {
    SomeRow& row;
};
template <class SomeRow>
OwnValue<SomeRow> own_value(SomeRow& row) {
    return {row};
}
template <class SomeRow>
struct Stored<OwnValue<SomeRow>> {
    using Column = std::string;
    static std::string_view to_column(const OwnValue<SomeRow>& own) {
        return has_shared_value(own.row) ? std::string_view("") : own.row.value.text();
    }
    static bool from_column(Column column, const OwnValue<SomeRow>& own) {
        return Stored<json::Document>::from_column(std::move(column), own.row.value);
    }
};

template <class SomeRow>
struct SharedDigest {
    SomeRow& row;
};
template <class SomeRow>
SharedDigest<SomeRow> digest_of_shared(SomeRow& row) {
    return {row};
}
template <class SomeRow>
struct Stored<SharedDigest<SomeRow>> {
    using Column = std::optional<Digest>;
    static const Digest* to_column(const SharedDigest<SomeRow>& shared) {
        return has_shared_value(shared.row) ? &shared.row.value.checksum() : nullptr;
    }
    static bool from_column(const Column&, const SharedDigest<SomeRow>&) { return true; }
};

struct Events {
    static constexpr std::string_view name = "events";
    using Row = Event;

    template <class Visit, class SomeEvent>
    static void columns(Visit& visit, SomeEvent& event) {
        visit("event_id", event.id);
        visit("name", event.name);
        visit("target_id", event.target);
        visit("value", own_value(event));
        visit("value_digest", digest_of_shared(event));
        visit("on_target_ended", event.on_target_ended);
        visit("keep", event.keep);
        visit("accepted_at", event.accepted_at);
        visit("expires_at", event.expires_at);
        visit("operation_id", event.operation);
        visit("correlation", event.correlation);
        visit("tenant", event.tenant);
        visit("hold", event.hold);
    }
};

struct DeadEvents {
    static constexpr std::string_view name = "dead_events";
    using Row = DeadEvent;

    template <class Visit, class SomeEvent>
    static void columns(Visit& visit, SomeEvent& dead) {
        Events::columns(visit, dead.event);
        visit("target_status", dead.target_status);
        visit("ended_at", dead.ended_at);
    }
};

struct EventFates {
    static constexpr std::string_view name = "event_fates";
    using Row = FateRow;

    template <class Visit, class SomeFate>
    static void columns(Visit& visit, SomeFate& fate) {
        visit("event_id", fate.event);
        visit("instance_id", or_nil(fate.instance));
        visit("name", fate.name);
        visit("fate", fate.fate);
        visit("activity_index", fate.index);
        visit("at", fate.at);
        visit("tenant", fate.tenant);
    }
};

// Without their instance, index and shared value.
struct Steps {
    static constexpr std::string_view name = "steps";
    using Row = Step;

    template <class Visit, class SomeStep>
    static void columns(Visit& visit, SomeStep& step) {
        visit("name", step.name);
        visit("input_hash", step.input_hash);
        visit("result", step.result);
        visit("value", own_value(step));
        visit("at", step.at);
    }
};

struct Winners {
    static constexpr std::string_view name = "winning_conditions";
    using Row = Winner;

    template <class Visit, class SomeWinner>
    static void columns(Visit& visit, SomeWinner& winner) {
        visit("type", winner.type);
        visit("name", winner.name);
    }
};

}  // namespace tables
}  // namespace holdfast
