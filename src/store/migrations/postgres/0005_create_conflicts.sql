-- One row per concurrent edit that was refused or merged.
create table conflicts (
    operation_id uuid        primary key,
    instance_id  uuid        not null,
    user_id      uuid,
    expected     bigint      not null,
    actual       bigint      not null,
    paths        text[]      not null,
    resolution   text        not null,
    at           timestamptz not null
);
create index conflicts_instance on conflicts (instance_id, operation_id);
