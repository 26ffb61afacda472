-- An instance may have several waits. One alone stays in its row; several are rows here, and the columns of the
-- instance show the one that is due first.
create table parallel_waits (
    instance integer not null,
    token    blob    not null,
    wait     text    not null,
    primary key (instance, token)
) without rowid;

create table new_waits (
    name         text    not null,
    began_at     integer not null,
    operation_id blob    not null,
    token        blob    not null,
    instance     integer not null,
    primary key (name, began_at, operation_id, token)
) without rowid;
insert into new_waits select name, began_at, operation_id, token, instance from waits;
drop table waits;
alter table new_waits rename to waits;

create table new_completion_waits (
    awaited_id   blob    not null,
    began_at     integer not null,
    operation_id blob    not null,
    token        blob    not null,
    instance     integer not null,
    primary key (awaited_id, began_at, operation_id, token)
) without rowid;
insert into new_completion_waits select awaited_id, began_at, operation_id, token, instance from completion_waits;
drop table completion_waits;
alter table new_completion_waits rename to completion_waits;

create table new_timers (
    instance integer not null,
    token    blob    not null,
    due_at   integer not null,
    primary key (instance, token)
) without rowid;
insert into new_timers select instance, token, due_at from timers;
drop table timers;
alter table new_timers rename to timers;
create index timers_due on timers (due_at);

-- What a definition's program is compiled from.
alter table definitions add column source text;
