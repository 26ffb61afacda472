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
gone_timers as (delete from timers t using doomed where t.instance_id = doomed.id returning 1),
gone_conflicts as (
    delete from conflicts t using doomed where t.instance_id = doomed.id returning 1),
gone_history as (delete from history t using doomed where t.instance_id = doomed.id returning 1),
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
       (select count(*) from gone_timers) + (select count(*) from gone_conflicts) +
       (select count(*) from gone_history) + (select count(*) from gone_signals) +
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
    returning p.event_id, p.name),
fates as (
    insert into event_fates (event_id, instance_id, name, fate, activity_index, at)
    select event_id, '00000000-0000-0000-0000-000000000000', name, 'expired', 0, now() from gone
    on conflict (event_id, instance_id) do nothing)
select count(*) from gone

-- Deletes rows older than $1 that belong to no instance (any more): stored answers, rounds (whose ids begin
-- with the time) and fates of events that reached no instance.
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
    returning 1),
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
    returning 1)
select (select count(*) from gone_rounds) + (select count(*) from gone_operations) +
       (select count(*) from gone_fates)
