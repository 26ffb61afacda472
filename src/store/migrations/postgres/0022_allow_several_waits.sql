-- An instance may have several waits. One alone stays in its row; several are rows here, and the columns of the
-- instance show the one that is due first.
create table parallel_waits (
    instance_id uuid not null,
    token       uuid not null,
    wait        text not null,
    primary key (instance_id, token)
);

alter table waits
    drop constraint waits_pkey,
    add primary key (name, began_at, operation_id, token);
alter table completion_waits
    drop constraint completion_waits_pkey,
    add primary key (awaited_id, began_at, operation_id, token);
alter table timers
    drop constraint timers_pkey,
    add primary key (instance_id, token);

-- What a definition's program is compiled from.
alter table definitions add column source text;
