-- One row per life of a node. The file lock lets one process in: there is one row, and its lease never
-- runs out.
create table nodes (
    node_id     blob    primary key,
    name        text    not null,
    started_at  integer not null,
    beat_at     integer not null,
    lease_until integer not null
) without rowid;

-- Jobs that one node at a time does; the term goes up with every owner.
create table host_locks (
    name  text    primary key,
    owner text    not null,
    until integer not null,
    term  integer not null
) without rowid;

-- Moments that such jobs keep.
create table marks (
    name text    primary key,
    at   integer not null
) without rowid;

-- What retention looks for.
create index instances_ended on instances (definition_key, completed_at) where completed_at is not null;
create index event_fates_instance on event_fates (instance_id);
create index dead_events_target on dead_events (target_id);
create index operations_at on operations (at);
