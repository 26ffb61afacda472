-- One row per concurrent edit that was refused or merged.
create table conflicts (
    operation_id blob    primary key,
    instance_id  blob    not null,
    user_id      blob,
    expected     integer not null,
    actual       integer not null,
    paths        text    not null,
    resolution   text    not null,
    at           integer not null
) without rowid;
create index conflicts_instance on conflicts (instance_id, operation_id);
