-- Where the trimmed history of an open instance begins: the last deleted row, with the documents as of it.
create table history_anchors (
    instance_id    uuid        primary key,
    version        bigint      not null,
    hash           bytea       not null,
    state          text,
    state_metadata text,
    at             timestamptz not null
);
-- What cleared instances left is deleted by age.
create index history_cleared_at on history (at) where type = 'Cleared';
-- Waits of these are not registered: who they wait for is looked up here.
create index instances_held on instances (id) where paused or quarantined;
create or replace view forgettable_instances as
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
  and not exists (select from tasks t where t.instance_id = i.id and t.ended_at is null)
  and not exists (select from instances parent
                  where parent.id = i.parent_id and parent.completed_at is null)
  and not exists (select from instances child
                  where child.parent_id = i.id and child.completed_at is null)
  and not exists (select from instances held
                  where (held.paused or held.quarantined) and held.completed_at is null
                    and (strpos(held.waiting_json, i.id::text) > 0
                         or held.waiting_json is null
                            and exists (select from parallel_waits p
                                        where p.instance_id = held.id
                                          and strpos(p.wait, i.id::text) > 0)));
