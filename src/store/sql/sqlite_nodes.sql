-- Nodes, host locks, marks and retention.

-- name: delete_nodes (sqlite only)
delete from nodes

-- name: delete_node (sqlite only)
delete from nodes where node_id = ?1

-- name: insert_node (sqlite only)
insert into nodes ({nodes}) values ({?1 nodes})

-- name: has_joined (sqlite only)
select 1 from nodes where node_id = ?1 and lease_until > ?2

-- name: renew_worker (sqlite only)
update nodes set beat_at = ?2, lease_until = ?3
where node_id = ?1 and kind = 'worker' and lease_until > ?2

-- name: has_dead_workers (sqlite only)
select 1 from nodes where lease_until <= ?1 limit 1

-- The attempts of those that died count.
-- name: free_signals_of_dead (sqlite only)
update signal_queue set leased_by = null
where leased_by in (select node_id from nodes where lease_until <= ?1)

-- name: delete_dead_nodes (sqlite only)
delete from nodes where lease_until <= ?1

-- A page of continuations, and of each whether no live holder has its program.
-- name: read_stranded (sqlite only)
select q.signal_id, q.instance_id, q.program, q.visible_at,
       exists (select 1 from instances i where i.id = q.instance_id and i.incident = 1),
       not exists (select 1 from nodes n
                   where n.lease_until > ?2
                     and (n.node_id = q.leased_by
                          or exists (select 1 from json_each(n.programs) p where p.value = q.program)))
from signal_queue q
where q.signal_id > ?1 and q.type = 'InternalContinue' order by q.signal_id limit ?3

-- name: free_signals (sqlite only)
update signal_queue set leased_by = null where leased_by is not null

-- Frees the leases of a node that leaves; the attempts do not count.
-- name: free_signals_of (sqlite only)
update signal_queue set leased_by = null, attempts = max(attempts - 1, 0) where leased_by = ?1

-- name: read_nodes (sqlite only)
select {nodes} from nodes order by node_id

-- name: read_node (sqlite only)
select {nodes} from nodes where node_id = ?1

-- name: load_joined (sqlite only)
select node_id from nodes

-- name: has_worker (sqlite only)
select 1 from nodes where node_id = ?1 and kind = 'worker'

-- The newest version of each key, in the order of the keys.
-- name: read_definition_keys (sqlite only)
select {d.definition_summary} from definitions d
where d.tenant = ?3 and d.key > ?1
  and d.version = (select max(n.version) from definitions n
                   where n.tenant = d.tenant and n.key = d.key)
order by d.key limit ?2

-- The versions of one key, the newest first.
-- name: read_definition_versions (sqlite only)
select {d.definition_summary} from definitions d
where d.tenant = ?4 and d.key = ?1 and (?2 = 0 or d.version < ?2)
order by d.version desc limit ?3

-- From the newest version of each definition, if it sets any.
-- name: read_retentions (sqlite only)
select d.key, d.keep_for, d.stale_after from definitions d
where d.tenant = 'default' and (d.keep_for is not null or d.stale_after is not null)
  and d.version = (select max(n.version) from definitions n
                   where n.tenant = d.tenant and n.key = d.key)

-- Each up to ?1.
-- name: count_backlog (sqlite only)
select (select count(*) from (select 1 from instances indexed by instances_with_incident
                              where incident = 1 limit ?1)),
       (select count(*) from (select 1 from tasks indexed by tasks_open where ended_at is null limit ?1)),
       (select count(*) from (select 1 from dead_letters limit ?1)),
       (select count(*) from (select 1 from dead_events limit ?1)),
       (select count(*) from (select 1 from signal_queue limit ?1)),
       (select min(visible_at) from (select visible_at from signal_queue where leased_by is null limit ?1)),
       (select count(*) from (select 1 from timers limit ?1)),
       (select min(due_at) from timers)

-- name: count_open (sqlite only)
select definition_key, status, count(*)
from (select definition_key, status from instances indexed by instances_open
      where completed_at is null order by seq desc limit ?1)
group by definition_key, status order by 3 desc, 1, 2 limit ?2

-- name: read_host_locks (sqlite only)
select {host_locks} from host_locks order by name

-- name: read_host_lock (sqlite only)
select {host_locks} from host_locks where name = ?1

-- name: put_host_lock (sqlite only)
insert into host_locks ({host_locks}) values ({?1 host_locks})
on conflict (name) do update set owner = excluded.owner, until = excluded.until, term = excluded.term

-- Their terms stay, so that the next owner has a greater one.
-- name: expire_host_locks (sqlite only)
update host_locks set until = ?1 where until > ?1

-- name: read_mark (sqlite only)
select at from marks where name = ?1

-- name: put_mark (sqlite only)
insert into marks (name, at) values (?1, ?2) on conflict (name) do update set at = excluded.at

-- name: read_earliest_timer (sqlite only)
select min(due_at) from timers

-- name: read_journal_from (sqlite only)
select s.activity_index, {s.steps}, v.value, {w.winning_conditions}
from instances i join steps s on s.instance = i.seq
left join shared_values v on v.digest = s.value_digest
left join winning_conditions w on w.instance = s.instance and w.activity_index = s.activity_index
where i.id = ?1 and s.activity_index >= ?2 order by s.activity_index limit ?3

-- The definitions of ended instances by skip scan: one seek each.
-- name: read_ended_definitions (sqlite only)
with recursive keys (key) as (
    select min(definition_key) from instances where completed_at is not null
    union all
    select (select min(definition_key) from instances
            where completed_at is not null and definition_key > keys.key)
    from keys where keys.key is not null)
select key from keys where key is not null

-- Ended instances that nothing protects: no signal (queued, scheduled or dead letter), no wait for
-- their end, also of an instance that is paused or quarantined, no open parent, child or task, no queued
-- event.
-- name: read_prunable (sqlite only)
select i.seq, i.id from instances i indexed by instances_ended
where i.definition_key = ?1 and i.completed_at is not null and i.completed_at <= ?2
  and i.status in ('succeeded', 'failed', 'cancelled')
  and not exists (select 1 from signal_queue q
                  where q.instance_id = i.id and q.type <> 'InternalContinue')
  and not exists (select 1 from signal_queue q
                  where q.signal_id >= substr(i.id, 1, 9)
                    and q.signal_id < cast(substr(i.id, 1, 9) || x'ffffffffffffffff' as blob)
                    and q.instance_id = i.id and q.type = 'InternalContinue')
  and not exists (select 1 from schedule_queue s where s.instance_id = i.id)
  and not exists (select 1 from dead_letters d where d.instance_id = i.id)
  and not exists (select 1 from completion_waits c where c.awaited_id = i.id)
  and not exists (select 1 from instances p where p.id = i.parent_id and p.completed_at is null)
  and not exists (select 1 from instances c where c.parent_id = i.id and c.completed_at is null)
  and not exists (select 1 from pending_events e where e.target_id = i.id)
  and not exists (select 1 from tasks t where t.instance = i.seq and t.ended_at is null)
  and not exists (select 1 from instances w indexed by instances_held
                  where (w.paused = 1 or w.quarantined = 1) and w.completed_at is null
                    and instr(coalesce(w.waiting_json,
                                       (select group_concat(p.wait) from parallel_waits p
                                        where p.instance = w.seq)),
                              lower(substr(hex(i.id), 1, 8) || '-' || substr(hex(i.id), 9, 4) || '-' ||
                                    substr(hex(i.id), 13, 4) || '-' || substr(hex(i.id), 17, 4) || '-' ||
                                    substr(hex(i.id), 21))) > 0)
order by i.completed_at, i.id limit ?3

-- name: delete_history_of (sqlite only)
delete from history where instance_id = ?1

-- name: delete_history_anchor_of (sqlite only)
delete from history_anchors where instance_id = ?1

-- Ids whose last life ended with a clear, and that nobody started again.
-- name: read_cleared (sqlite only)
select distinct h.instance_id from history h indexed by history_cleared_at
where h.type = 'Cleared' and h.at <= ?1
  and not exists (select 1 from instances i where i.id = h.instance_id)
order by h.at limit ?2

-- name: read_open_page (sqlite only)
select i.seq, i.id, i.version from instances i indexed by instances_open
where i.completed_at is null and i.seq > ?1 order by i.seq limit ?2

-- Of the ?4 oldest rows up to version ?2: the last one that is old enough, and how many are.
-- name: read_trimmable (sqlite only)
select max(version), count(*)
from (select version, at from history where instance_id = ?1 and version <= ?2 order by version limit ?4)
where at <= ?3

-- name: put_history_anchor (sqlite only)
insert into history_anchors (instance_id, version, hash, state, state_metadata, at)
select h.instance_id, h.version, h.hash,
       coalesce((select s.payload from history s
                 where s.instance_id = ?1 and s.version <= ?2
                   and s.type in ('Started', 'StateChanged', 'Written', 'Restored', 'Forked', 'Released')
                 order by s.version desc limit 1),
                (select a.state from history_anchors a where a.instance_id = ?1)),
       coalesce((select m.state_metadata from history m
                 where m.instance_id = ?1 and m.version <= ?2 and m.state_metadata is not null
                 order by m.version desc limit 1),
                (select a.state_metadata from history_anchors a where a.instance_id = ?1)),
       ?3
from history h where h.instance_id = ?1 and h.version = ?2
on conflict (instance_id) do update
set version = excluded.version, hash = excluded.hash, state = excluded.state,
    state_metadata = excluded.state_metadata, at = excluded.at

-- name: delete_history_until (sqlite only)
delete from history where instance_id = ?1 and version <= ?2

-- A page of open instances, and of each whether it may be stale. A wait of a paused or quarantined
-- instance is not registered; its text names the workflows that it waits for.
-- name: read_stale_page (sqlite only)
select i.seq, i.id,
       i.updated_at <= ?3 and i.quarantined = 0 and i.incident = 0 and i.parent_id is null
       and not exists (select 1 from pending_events e where e.target_id = i.id)
       and not exists (select 1 from tasks t where t.instance = i.seq and t.ended_at is null)
       and not exists (select 1 from completion_waits c where c.awaited_id = i.id)
       and not exists (select 1 from instances w indexed by instances_held
                       where (w.paused = 1 or w.quarantined = 1) and w.completed_at is null
                         and instr(coalesce(w.waiting_json,
                                            (select group_concat(p.wait) from parallel_waits p
                                        where p.instance = w.seq)),
                                   lower(substr(hex(i.id), 1, 8) || '-' || substr(hex(i.id), 9, 4) || '-' ||
                                         substr(hex(i.id), 13, 4) || '-' || substr(hex(i.id), 17, 4) || '-' ||
                                         substr(hex(i.id), 21))) > 0)
from instances i indexed by instances_open
where i.completed_at is null and i.seq > ?1 order by i.seq limit ?2

-- name: delete_conflicts_of (sqlite only)
delete from conflicts where instance_id = ?1

-- name: delete_fates_of (sqlite only)
delete from event_fates where instance_id = ?1

-- name: delete_dead_events_of (sqlite only)
delete from dead_events where target_id = ?1

-- name: expire_events (sqlite only)
insert or ignore into event_fates (event_id, instance_id, name, fate, activity_index, at, tenant)
select event_id, zeroblob(16), name, 'expired', 0, ?1, tenant
from pending_events where expires_at <= ?1 order by expires_at, event_id limit ?2

-- name: delete_expired (sqlite only)
delete from pending_events
where event_id in (select event_id from pending_events where expires_at <= ?1
                   order by expires_at, event_id limit ?2)

-- What a reader of the stream could miss once delete_old_rounds has run with the same values.
-- name: forget_positions (sqlite only)
insert into marks (name, at, position)
select 'stream', ?1, max(position)
from (select position, committed_at from rounds where position > 0 order by position limit ?2)
where committed_at <= ?1
having max(position) is not null
on conflict (name) do update set position = max(coalesce(marks.position, 0), excluded.position), at = excluded.at

-- The oldest come first, from zero in both directions.
-- name: delete_old_rounds (sqlite only)
delete from rounds
where position in (
    select position
    from (select position, committed_at
          from (select position, committed_at from rounds where position > 0 order by position limit ?2)
          union all
          select position, committed_at
          from (select position, committed_at from rounds where position < 0 order by position desc limit ?2))
    where committed_at <= ?1 limit ?2)

-- Values that nothing refers to. A signal refers to a value that is at most half an hour older.
-- name: delete_old_values (sqlite only)
delete from shared_values
where digest in (
    select v.digest from shared_values v
    where v.at < ?1
      and v.at < coalesce((select min(enqueued_at) from signal_queue where type = 'ExternalSignal'), v.at + 7200000000) - 3600000000
      and v.at < coalesce((select min(enqueued_at) from dead_letters), v.at + 7200000000) - 3600000000
      and not exists (select 1 from steps s where s.value_digest = v.digest)
      and not exists (select 1 from history h where h.value_digest = v.digest)
      and not exists (select 1 from pending_events e where e.value_digest = v.digest)
      and not exists (select 1 from dead_events e where e.value_digest = v.digest)
    order by v.at limit ?2)

-- Of events that reached no instance.
-- name: delete_old_fates (sqlite only)
delete from event_fates
where (event_id, instance_id) in (select event_id, instance_id from event_fates
                                  where instance_id = zeroblob(16) and at <= ?1 order by at limit ?2)

-- Processed signals whose repeats are no longer recognised.
-- name: delete_old_processed (sqlite only)
delete from processed_signals
where (instance_id, signal_id) in (select instance_id, signal_id from processed_signals
                                   where at <= ?1 order by at limit ?2)

-- Workers that ended; the lease of a node never expires here.
-- name: delete_old_nodes (sqlite only)
delete from nodes where node_id in (select node_id from nodes where lease_until <= ?1 limit ?2)

-- Among the oldest: their ids begin with the time.
-- name: delete_old_conflicts (sqlite only)
delete from conflicts
where operation_id in (select operation_id from conflicts order by operation_id limit ?2)
  and at <= ?1

-- name: delete_old_operations (sqlite only)
delete from operations
where (tenant, client_key) in (select tenant, client_key from operations
                               where instance_id is null and at <= ?1 order by at limit ?2)
