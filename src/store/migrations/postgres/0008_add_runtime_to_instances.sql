-- The engine's columns, on the hot row: a second table would double the cost of every step.
alter table instances
    add column run                bigint not null default 1,
    add column snapshot_schema_version integer not null default 1,  -- a newer one is not loaded
    add column activity_index     bigint not null default 0,
    add column waiting_kind       text   not null default 'none',
    add column waiting_token      uuid,
    add column waiting_until      timestamptz,
    add column waiting_json       text,    -- the whole wait: names, workflows, since, when it began
    add column result             text,
    add column last_error_code    text,
    add column last_signal_id     uuid,
    add column last_executed_by   text,
    add column last_executed_at   timestamptz;

create index instances_parent on instances (parent_id) where parent_id is not null;
