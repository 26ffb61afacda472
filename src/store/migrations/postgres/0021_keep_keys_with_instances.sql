-- A key lives as long as the instance that its operation made or changed: the age of a key counts from
-- the end of that.
alter table operations add column instance_id uuid;
update operations o set instance_id = o.operation_id
where exists (select from instances i where i.id = o.operation_id);
drop index operations_at;
create index operations_at on operations (at) where instance_id is null;
create index operations_instance on operations (instance_id) where instance_id is not null;
