-- How long the value is. The indexes have all that an end and a limit need, so that they do not read
-- the values.
alter table pending_events add column size bigint not null default 0;
update pending_events set size = length(cast(value as blob));
drop index pending_events_target;
create index pending_events_target
    on pending_events (target_id, name, correlation, accepted_at, operation_id, expires_at,
                       on_target_ended, size)
    where target_id is not null;
drop index pending_events_broadcast;
create index pending_events_broadcast
    on pending_events (tenant, name, correlation, accepted_at, operation_id, expires_at, size)
    where target_id is null;
-- The first children in order, without the others.
drop index instances_parent;
create index instances_parent on instances (parent_id, id) where parent_id is not null;
