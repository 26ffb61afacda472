-- Events that nobody has taken yet; no target is a broadcast.
create table pending_events (
    event_id        blob        primary key,
    name            text        not null,
    target_id       blob,
    value           text        not null,
    on_target_ended text        not null,
    keep            integer     not null,
    accepted_at     integer not null,
    expires_at      integer,
    operation_id    blob        not null
) without rowid;
create index pending_events_target on pending_events (target_id, name, accepted_at, operation_id)
    where target_id is not null;
create index pending_events_broadcast on pending_events (name, accepted_at, operation_id)
    where target_id is null;

-- Where events went. The nil id stands for an event that reached nobody.
create table event_fates (
    event_id       blob        not null,
    instance_id    blob        not null,
    name           text        not null,
    fate           text        not null,
    activity_index integer      not null,
    at             integer not null,
    primary key (event_id, instance_id)
) without rowid;

-- Events whose target ended first and that asked to be kept.
create table dead_events (
    event_id        blob        primary key,
    name            text        not null,
    target_id       blob        not null,
    value           text        not null,
    on_target_ended text        not null,
    keep            integer     not null,
    accepted_at     integer not null,
    expires_at      integer,
    operation_id    blob        not null,
    target_status   text        not null,
    ended_at        integer not null
) without rowid;
