-- Lives of nodes. Whose lease ran out is dead, whatever it believes (I28).
create table nodes (
    node_id     uuid        primary key,
    name        text        not null,
    started_at  timestamptz not null,
    beat_at     timestamptz not null,
    lease_until timestamptz not null
) with (fillfactor = 50);

-- Jobs that one node at a time does; the term fences the one before (I31).
create table host_locks (
    name  text        primary key,
    owner text        not null,
    until timestamptz not null,
    term  bigint      not null
);

create table marks (
    name text        primary key,
    at   timestamptz not null
);

-- What retention looks for.
create index instances_ended on instances (completed_at) where completed_at is not null;
create index event_fates_instance on event_fates (instance_id, at);
create index dead_events_target on dead_events (target_id);
create index pending_events_expiry on pending_events (expires_at) where expires_at is not null;
create index operations_at on operations (at);

-- Ended instances that nobody needs any more; how long they are kept is not its business (I44).
create view forgettable_instances as
select i.id, i.definition_key, i.completed_at
from instances i
where i.completed_at is not null
  and not exists (select from signal_queue q
                  where q.instance_id = i.id and q.type <> 'InternalContinue')
  and not exists (select from signal_queue q
                  where q.instance_id = i.id and q.type = 'InternalContinue')
  and not exists (select from schedule_queue s where s.instance_id = i.id)
  and not exists (select from dead_letters d where d.instance_id = i.id)
  and not exists (select from completion_waits w where w.awaited_id = i.id)
  and not exists (select from pending_events e where e.target_id = i.id)
  and not exists (select from instances parent
                  where parent.id = i.parent_id and parent.completed_at is null)
  and not exists (select from instances child
                  where child.parent_id = i.id and child.completed_at is null);
