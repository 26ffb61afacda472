-- The engine's columns, on the hot row: a second table would double the cost of every step.
alter table instances add column run integer not null default 1;
alter table instances add column snapshot_schema_version integer not null default 1;
alter table instances add column activity_index integer not null default 0;
alter table instances add column waiting_kind text   not null default 'none';
alter table instances add column waiting_token blob;
alter table instances add column waiting_until integer;
alter table instances add column waiting_json text;
alter table instances add column result text;
alter table instances add column last_error_code text;
alter table instances add column last_signal_id blob;
alter table instances add column last_executed_by text;
alter table instances add column last_executed_at integer;

create index instances_parent on instances (parent_id) where parent_id is not null;
