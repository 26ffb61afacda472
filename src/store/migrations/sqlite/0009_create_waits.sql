-- Who waits for which name, oldest first. Rows stand only while the instance is suspended and not paused.
create table waits (
    name         text        not null,
    began_at     integer not null,
    operation_id blob        not null,
    instance     integer        not null,
    token        blob        not null,
    primary key (name, began_at, operation_id, instance)
) without rowid;

-- Who waits for which workflow to end.
create table completion_waits (
    awaited_id   blob        not null,
    began_at     integer not null,
    operation_id blob        not null,
    instance     integer        not null,
    token        blob        not null,
    primary key (awaited_id, began_at, operation_id, instance)
) without rowid;

-- One timer per waiting instance; another token makes an old one stale.
create table timers (
    instance integer        primary key,
    token       blob        not null,
    due_at      integer not null
) without rowid;
create index timers_due on timers (due_at);
