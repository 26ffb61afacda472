-- Nodes, host locks, marks and retention.

-- name: delete_nodes (sqlite only)
delete from nodes

-- name: delete_node (sqlite only)
delete from nodes where node_id = ?1

-- name: insert_node (sqlite only)
insert into nodes (node_id, name, started_at, beat_at, lease_until) values (?1, ?2, ?3, ?3, ?4)

-- name: free_signals (sqlite only)
update signal_queue set leased_by = null where leased_by is not null

-- Frees the leases of a node that leaves; the attempts do not count.
-- name: free_signals_of (sqlite only)
update signal_queue set leased_by = null, attempts = max(attempts - 1, 0) where leased_by = ?1

-- name: read_nodes (sqlite only)
select node_id, name, started_at, beat_at, lease_until from nodes order by node_id

-- From the newest version of each definition, if it sets any.
-- name: read_retentions (sqlite only)
select d.key, d.keep_for, d.stale_after from definitions d
where d.tenant = 'default' and (d.keep_for is not null or d.stale_after is not null)
  and d.version = (select max(n.version) from definitions n
                   where n.tenant = d.tenant and n.key = d.key)

-- name: read_host_locks (sqlite only)
select name, owner, until, term from host_locks order by name

-- name: read_host_lock (sqlite only)
select name, owner, until, term from host_locks where name = ?1

-- name: put_host_lock (sqlite only)
insert into host_locks (name, owner, until, term) values (?1, ?2, ?3, ?4)
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
select s.activity_index, s.name, s.input_hash, s.result, s.value, s.at, w.type, w.name
from instances i join steps s on s.instance = i.seq
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
-- their end, no open parent, child or task, no queued event.
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
order by i.completed_at, i.id limit ?3

-- name: delete_history_of (sqlite only)
delete from history where instance_id = ?1

-- name: delete_conflicts_of (sqlite only)
delete from conflicts where instance_id = ?1

-- name: delete_fates_of (sqlite only)
delete from event_fates where instance_id = ?1

-- name: delete_dead_events_of (sqlite only)
delete from dead_events where target_id = ?1

-- name: expire_events (sqlite only)
insert or ignore into event_fates (event_id, instance_id, name, fate, activity_index, at)
select event_id, zeroblob(16), name, 'expired', 0, ?1
from pending_events where expires_at <= ?1 order by event_id limit ?2

-- name: delete_expired (sqlite only)
delete from pending_events
where event_id in (select event_id from pending_events where expires_at <= ?1 order by event_id limit ?2)

-- Round ids are ordered by time: the oldest come first.
-- name: delete_old_rounds (sqlite only)
delete from rounds
where committed_at <= ?1 and round_id in (select round_id from rounds order by round_id limit ?2)

-- Of events that reached no instance.
-- name: delete_old_fates (sqlite only)
delete from event_fates
where (event_id, instance_id) in (select event_id, instance_id from event_fates
                                  where instance_id = zeroblob(16) and at <= ?1 order by at limit ?2)

-- name: delete_old_operations (sqlite only)
delete from operations
where (tenant, client_key) in (select tenant, client_key from operations
                               where instance_id is null and at <= ?1 order by at limit ?2)
