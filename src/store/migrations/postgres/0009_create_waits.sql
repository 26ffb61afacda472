-- Who waits for which name, oldest first. Rows stand only while the instance is suspended and not paused.
create table waits (
    name         text        not null,
    began_at     timestamptz not null,
    operation_id uuid        not null,
    instance_id  uuid        not null,
    token        uuid        not null,
    primary key (name, began_at, operation_id, instance_id)
);

-- Who waits for which workflow to end.
create table completion_waits (
    awaited_id   uuid        not null,
    began_at     timestamptz not null,
    operation_id uuid        not null,
    instance_id  uuid        not null,
    token        uuid        not null,
    primary key (awaited_id, began_at, operation_id, instance_id)
);

-- One timer per waiting instance; another token makes an old one stale.
create table timers (
    instance_id uuid        primary key,
    token       uuid        not null,
    due_at      timestamptz not null
);
create index timers_due on timers (due_at);

-- Locked by whoever takes or sends broadcasts of a name.
create table channels (
    name text primary key
);
