-- Retention. A batch locks the instances it may delete; the deleting statement then checks all
-- conditions again after the locks, in its own snapshot (I44).

-- $1 and $2 are the retention periods by definition, $3 is the default, $4 the shortest of all.
-- name: lock_prunable (postgres only)
select i.id
from forgettable_instances i
where i.completed_at <= now() - $4::bigint * interval '1 microsecond'
  and i.completed_at <= now() - coalesce(
          (select own.keep_for from unnest($1::text[], $2::bigint[]) own (key, keep_for)
           where own.key = i.definition_key), $3::bigint) * interval '1 microsecond'
order by i.completed_at, i.id
limit $5::bigint offset $6::bigint
for update skip locked

-- name: count_prunable (postgres only)
select count(*)
from (select from forgettable_instances i
      where i.completed_at <= now() - $4::bigint * interval '1 microsecond'
        and i.completed_at <= now() - coalesce(
                (select own.keep_for from unnest($1::text[], $2::bigint[]) own (key, keep_for)
                 where own.key = i.definition_key), $3::bigint) * interval '1 microsecond'
      limit $5::bigint) prunable

-- Also returns whether the caller still holds the host lock. $10: it is not needed, because the
-- transaction will be rolled back.
-- name: prune_instances (postgres only)
with doomed as materialized (
    select i.id
    from forgettable_instances i
    where i.id = any($6::uuid[])
      and i.completed_at <= now() - $4::bigint * interval '1 microsecond'
      and i.completed_at <= now() - coalesce(
              (select own.keep_for from unnest($1::text[], $2::bigint[]) own (key, keep_for)
               where own.key = i.definition_key), $3::bigint) * interval '1 microsecond'
      and ($10::boolean or exists (
              select from host_locks
              where name = $7::text and owner = $8::text and term = $9::bigint
                and until > clock_timestamp()))
    limit $5::bigint),
gone as (delete from instances t using doomed where t.id = doomed.id returning 1),
gone_documents as (
    delete from documents t using doomed where t.instance_id = doomed.id returning 1),
gone_steps as (delete from steps t using doomed where t.instance_id = doomed.id returning 1),
gone_winners as (
    delete from winning_conditions t using doomed where t.instance_id = doomed.id returning 1),
gone_waits as (
    delete from parallel_waits t using doomed where t.instance_id = doomed.id returning 1),
gone_conflicts as (
    delete from conflicts t using doomed where t.instance_id = doomed.id returning 1),
gone_history as (delete from history t using doomed where t.instance_id = doomed.id returning 1),
gone_anchors as (
    delete from history_anchors t using doomed where t.instance_id = doomed.id returning 1),
gone_signals as (
    delete from processed_signals t using doomed where t.instance_id = doomed.id returning 1),
gone_fates as (delete from event_fates t using doomed where t.instance_id = doomed.id returning 1),
gone_events as (delete from dead_events t using doomed where t.target_id = doomed.id returning 1),
gone_task_events as (
    delete from task_events t using doomed where t.instance_id = doomed.id returning 1),
released as (  -- from now on its keys grow old
    update operations o set instance_id = null, at = clock_timestamp()
    from doomed where o.instance_id = doomed.id)
select exists (select from host_locks
               where name = $7 and owner = $8 and term = $9 and until > clock_timestamp()),
       (select count(*) from gone),
       (select count(*) from gone) + (select count(*) from gone_documents) +
       (select count(*) from gone_steps) + (select count(*) from gone_winners) +
       (select count(*) from gone_waits) + (select count(*) from gone_conflicts) +
       (select count(*) from gone_history) + (select count(*) from gone_anchors) +
       (select count(*) from gone_signals) +
       (select count(*) from gone_fates) + (select count(*) from gone_events) +
       (select count(*) from gone_task_events)

-- Deletes expired events; their ids stay known. Runs before prune_instances, because a queued event
-- protects its target.
-- name: expire_events (postgres only)
with expired as materialized (
    select p.event_id from pending_events p
    where p.expires_at <= now()
      and ($5::boolean or exists (
              select from host_locks
              where name = $2::text and owner = $3::text and term = $4::bigint
                and until > clock_timestamp()))
    order by p.expires_at limit $1::bigint
    for update skip locked),
gone as (
    delete from pending_events p where p.event_id = any(array(select event_id from expired))
    returning p.event_id, p.name, p.tenant),
fates as (
    insert into event_fates (event_id, instance_id, name, fate, activity_index, at, tenant)
    select event_id, '00000000-0000-0000-0000-000000000000', name, 'expired', 0, now(), tenant from gone
    on conflict (event_id, instance_id) do nothing)
select count(*) from gone

-- Deletes rows older than $1 that belong to no instance (any more): stored answers, rounds (whose ids begin
-- with the time) and fates of events that reached no instance; and processed signals past a window of their own. Also
-- returns the largest number of rows of one table.
-- name: prune_ledgers (postgres only)
with cutoff as materialized (
    select now() - $1::bigint * interval '1 microsecond' as at
    where $6::boolean or exists (
        select from host_locks
        where name = $3::text and owner = $4::text and term = $5::bigint
          and until > clock_timestamp())),
gone_rounds as (
    delete from rounds
    where round_id = any(array(
        select r.round_id from rounds r
        where r.round_id < (select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
                                    || repeat('0', 20))::uuid from cutoff)
          and r.committed_at < (select at from cutoff)
        order by r.round_id limit $2::bigint))
    returning position),
forgotten as (  -- what a reader of the stream could miss now
    insert into marks (name, at, position)
    select 'stream', now(), max(position) from gone_rounds having max(position) is not null
    on conflict (name) do update
    set position = greatest(marks.position, excluded.position), at = excluded.at),
gone_operations as (
    delete from operations o using (
        select old.tenant, old.client_key from operations old
        where old.instance_id is null and old.at < (select at from cutoff)
        order by old.at limit $2) old
    where o.tenant = old.tenant and o.client_key = old.client_key
    returning 1),
gone_fates as (
    delete from event_fates f using (
        select old.event_id from event_fates old
        where old.instance_id = '00000000-0000-0000-0000-000000000000'
          and old.at < (select at from cutoff)
        order by old.at limit $2) old
    where f.event_id = old.event_id
      and f.instance_id = '00000000-0000-0000-0000-000000000000'
    returning 1),
gone_processed as (
    delete from processed_signals p using (
        select old.instance_id, old.signal_id from processed_signals old
        where old.at < (select at + ($1::bigint - $7::bigint) * interval '1 microsecond' from cutoff)
        order by old.at limit $2) old
    where p.instance_id = old.instance_id and p.signal_id = old.signal_id
    returning 1),
-- Values that nothing refers to. A signal refers to a value that is at most half an hour older.
gone_values as (
    delete from shared_values v
    where v.at < (select at from cutoff)
      and v.digest = any(array(
        select old.digest from shared_values old
        where old.at < (select at from cutoff)
          and old.at < (select min(enqueued_at) - interval '1 hour'
                        from (select min(enqueued_at) from signal_queue where type = 'ExternalSignal'
                              union all
                              select min(enqueued_at) from dead_letters
                              union all
                              select 'infinity') signal (enqueued_at))
          and not exists (select from steps s where s.value_digest = old.digest)
          and not exists (select from history h where h.value_digest = old.digest)
          and not exists (select from pending_events e where e.value_digest = old.digest)
          and not exists (select from dead_events e where e.value_digest = old.digest)
        order by old.at limit $2::bigint))
    returning 1)
select (select count(*) from gone_rounds) + (select count(*) from gone_operations) +
           (select count(*) from gone_fates) + (select count(*) from gone_processed) +
           (select count(*) from gone_values),
       greatest((select count(*) from gone_rounds), (select count(*) from gone_operations),
                (select count(*) from gone_fates), (select count(*) from gone_processed),
                (select count(*) from gone_values))

-- Node lives that ended longer than $1 ago. The table is small.
-- name: prune_nodes (postgres only)
with gone as (
    delete from nodes
    where lease_until < now() - $1::bigint * interval '1 microsecond'
      and ($5::boolean or exists (
              select from host_locks
              where name = $2::text and owner = $3::text and term = $4::bigint
                and until > clock_timestamp()))
    returning 1)
select count(*) from gone

-- Rows of channels that nobody uses. A round that has locked one keeps it; a round that finds one deleted
-- inserts it again.
-- name: prune_channels (postgres only)
with unused as materialized (
    select c.tenant, c.name, c.correlation from channels c
    where not exists (select from waits w
                      where w.tenant = c.tenant and w.name = c.name
                        and w.correlation = c.correlation)
      and not exists (select from pending_events p
                      where p.target_id is null and p.tenant = c.tenant and p.name = c.name
                        and p.correlation = c.correlation)
      and ($5::boolean or exists (
              select from host_locks
              where name = $2::text and owner = $3::text and term = $4::bigint
                and until > clock_timestamp()))
    limit $1::bigint
    for update skip locked),
gone as (
    delete from channels c using unused u
    where c.tenant = u.tenant and c.name = u.name and c.correlation = u.correlation
    returning 1)
select count(*) from gone

-- Deletes what instances left that were cleared longer than $1 ago and not started again. Also returns
-- how many they are.
-- name: prune_cleared (postgres only)
with cleared as materialized (
    select distinct old.instance_id
    from (select h.instance_id from history h
          where h.type = 'Cleared' and h.at <= now() - $1::bigint * interval '1 microsecond'
            and not exists (select from instances i where i.id = h.instance_id)
            and ($6::boolean or exists (
                    select from host_locks
                    where name = $3::text and owner = $4::text and term = $5::bigint
                      and until > clock_timestamp()))
          order by h.at limit $2::bigint) old),
gone_history as (delete from history t using cleared c where t.instance_id = c.instance_id returning 1),
gone_anchors as (
    delete from history_anchors t using cleared c where t.instance_id = c.instance_id returning 1),
gone_conflicts as (
    delete from conflicts t using cleared c where t.instance_id = c.instance_id returning 1),
gone_fates as (
    delete from event_fates t using cleared c where t.instance_id = c.instance_id returning 1),
gone_events as (delete from dead_events t using cleared c where t.target_id = c.instance_id returning 1)
select (select count(*) from gone_history) + (select count(*) from gone_anchors) +
           (select count(*) from gone_conflicts) + (select count(*) from gone_fates) +
           (select count(*) from gone_events),
       (select count(*) from cleared)

-- Conflicts older than $1, among the $2 oldest: their ids begin with the time.
-- name: prune_conflicts (postgres only)
with gone as (
    delete from conflicts c
    where c.operation_id = any(array(
            select old.operation_id from conflicts old order by old.operation_id limit $2::bigint))
      and c.at <= now() - $1::bigint * interval '1 microsecond'
      and ($6::boolean or exists (
              select from host_locks
              where name = $3::text and owner = $4::text and term = $5::bigint
                and until > clock_timestamp()))
    returning 1)
select count(*) from gone

-- A page of open instances behind $1, $2 of them; their histories keep the newest $3 rows and lose at
-- most $4 that are older than $5. Returns the rows, the most of one instance, the size of the page, its
-- last id, and whether the caller holds the host lock. $9: it is not needed, as above.
-- name: trim_histories (postgres only)
with page as materialized (
    select id, version from instances
    where completed_at is null and id > $1::uuid order by id limit $2::bigint),
cut as materialized (
    select p.id, max(oldest.version) as version, count(*) as rows
    from page p
    cross join lateral (select h.version, h.at from history h
                        where h.instance_id = p.id and h.version <= p.version - $3::bigint
                        order by h.version limit $4::bigint) oldest
    where p.version > $3 and oldest.at <= now() - $5::bigint * interval '1 microsecond'
      and ($9::boolean or exists (
              select from host_locks
              where name = $6::text and owner = $7::text and term = $8::bigint
                and until > clock_timestamp()))
    group by p.id),
anchored as (
    insert into history_anchors (instance_id, version, hash, state, state_metadata, at)
    select h.instance_id, h.version, h.hash,
           coalesce((select s.payload from history s
                     where s.instance_id = cut.id and s.version <= cut.version
                       and s.type in ('Started', 'StateChanged', 'Written', 'Restored', 'Forked',
                                      'Released')
                     order by s.version desc limit 1), old.state),
           coalesce((select m.state_metadata from history m
                     where m.instance_id = cut.id and m.version <= cut.version
                       and m.state_metadata is not null
                     order by m.version desc limit 1), old.state_metadata),
           now()
    from cut
    join history h on h.instance_id = cut.id and h.version = cut.version
    left join history_anchors old on old.instance_id = cut.id
    on conflict (instance_id) do update
    set version = excluded.version, hash = excluded.hash, state = excluded.state,
        state_metadata = excluded.state_metadata, at = excluded.at),
gone as (
    delete from history h using cut where h.instance_id = cut.id and h.version <= cut.version
    returning 1)
select (select count(*) from gone), (select coalesce(max(rows), 0) from cut),
       (select count(*) from page), (select id from page order by id desc limit 1),
       exists (select from host_locks
               where name = $6 and owner = $7 and term = $8 and until > clock_timestamp())

-- Of a page of $2 open instances behind $1: those that may be stale, and the last of a full page. A wait
-- of a paused or quarantined instance is not registered; its text names the workflows it waits for.
-- name: find_stale (postgres only)
with page as materialized (
    select i.*, row_number() over (order by i.id) as place
    from (select id, updated_at, quarantined, incident, parent_id from instances
          where completed_at is null and id > $1::uuid order by id limit $2::bigint) i)
select p.id, found.stale, p.place
from page p
cross join lateral (
    select p.updated_at <= $3::timestamptz and not p.quarantined and not p.incident
           and p.parent_id is null
           and not exists (select from pending_events e where e.target_id = p.id)
           and not exists (select from tasks t where t.instance_id = p.id and t.ended_at is null)
           and not exists (select from completion_waits w where w.awaited_id = p.id)
           and not exists (select from instances w
                           where (w.paused or w.quarantined) and w.completed_at is null
                             and (strpos(w.waiting_json, p.id::text) > 0
                                  or w.waiting_json is null
                                     and exists (select from parallel_waits several
                                                 where several.instance_id = w.id
                                                   and strpos(several.wait, p.id::text) > 0)))
           as stale) found
where found.stale or p.place = $2
order by p.place
