-- Events that nobody has taken yet; no target is a broadcast.
create table pending_events (
    event_id        uuid        primary key,
    name            text        not null,
    target_id       uuid,
    value           text        not null,
    on_target_ended text        not null,
    keep            boolean     not null,
    accepted_at     timestamptz not null,
    expires_at      timestamptz,
    operation_id    uuid        not null
);
create index pending_events_target on pending_events (target_id, name, accepted_at, operation_id)
    where target_id is not null;
create index pending_events_broadcast on pending_events (name, accepted_at, operation_id)
    where target_id is null;

-- Where events went. The nil id stands for an event that reached nobody.
create table event_fates (
    event_id       uuid        not null,
    instance_id    uuid        not null,
    name           text        not null,
    fate           text        not null,
    activity_index bigint      not null,
    at             timestamptz not null,
    primary key (event_id, instance_id)
);

-- Events whose target ended first and that asked to be kept.
create table dead_events (
    event_id        uuid        primary key,
    name            text        not null,
    target_id       uuid        not null,
    value           text        not null,
    on_target_ended text        not null,
    keep            boolean     not null,
    accepted_at     timestamptz not null,
    expires_at      timestamptz,
    operation_id    uuid        not null,
    target_status   text        not null,
    ended_at        timestamptz not null
);
