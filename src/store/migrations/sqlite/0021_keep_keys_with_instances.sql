-- A key lives as long as the instance that its operation made or changed: the age of a key counts from
-- the end of that.
alter table operations add column instance_id blob;
update operations set instance_id = operation_id
where exists (select 1 from instances i where i.id = operations.operation_id);
drop index operations_at;
create index operations_at on operations (at) where instance_id is null;
create index operations_instance on operations (instance_id) where instance_id is not null;
-- Fates without an instance are deleted by age.
drop index event_fates_instance;
create index event_fates_instance on event_fates (instance_id, at);
