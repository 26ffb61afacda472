-- Events, waits, timers and the journal, for rounds and for the read side. The callers request one
-- row more than they need, to know whether there are more.

-- A kept event stays queued after its delivery to the target.
-- name: load_inboxes
select {e.events}
from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[])
     inbox (target_id, name, correlation, most)
cross join lateral (select * from whole_pending_events p
                    where p.target_id = inbox.target_id and p.name = inbox.name
                      and p.correlation = inbox.correlation
                      and (p.expires_at is null or p.expires_at > clock_timestamp())
                      and (p.hold is null
                           or (p.hold = 'untilDue' and p.accepted_at <= clock_timestamp()))
                      and not (p.keep and exists (select from event_fates f
                                                  where f.event_id = p.event_id
                                                    and f.instance_id = p.target_id))
                    order by p.accepted_at, p.operation_id
                    limit inbox.most) e

-- Without the values: what is queued may be large.
-- name: load_ending_inboxes
select distinct target_id, name, correlation, on_target_ended = 'broadcast'
from pending_events
where target_id = any($1::uuid[])

-- name: load_releases
select {e.events}
from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[])
     inbox (target_id, name, correlation, most)
cross join lateral (select * from whole_pending_events p
                    where p.target_id = inbox.target_id and p.name = inbox.name
                      and p.correlation = inbox.correlation and p.on_target_ended = 'broadcast'
                      and (p.expires_at is null or p.expires_at > clock_timestamp())
                      and (p.hold is null
                           or (p.hold = 'untilDue' and p.accepted_at <= clock_timestamp()))
                    order by p.accepted_at, p.operation_id
                    limit inbox.most) e

-- name: count_inboxes
select inbox.target_id, queued.events, queued.bytes
from unnest($1::uuid[]) inbox (target_id)
cross join lateral (select count(*) as events, coalesce(sum(p.size), 0)::bigint as bytes
                    from pending_events p
                    where p.target_id = inbox.target_id
                      and (p.expires_at is null or p.expires_at > clock_timestamp())) queued

-- For a kept broadcast also those who might take it and have had it.
-- name: load_broadcasts
select {e.events},
       case when e.keep then array(select f.instance_id from unnest($5::uuid[]) reader (id)
                                   join event_fates f on f.event_id = e.event_id
                                                     and f.instance_id = reader.id) end
from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
     channel (tenant, name, correlation, most)
cross join lateral (select * from whole_pending_events p
                    where p.target_id is null and p.tenant = channel.tenant
                      and p.name = channel.name and p.correlation = channel.correlation
                      and (p.expires_at is null or p.expires_at > clock_timestamp())
                      and (p.hold is null
                           or (p.hold = 'untilDue' and p.accepted_at <= clock_timestamp()))
                    order by p.accepted_at, p.operation_id
                    limit channel.most) e

-- name: count_broadcasts
select channel.tenant, channel.name, channel.correlation, queued.events, queued.bytes
from unnest($1::text[], $2::text[], $3::text[]) channel (tenant, name, correlation)
cross join lateral (select count(*) as events, coalesce(sum(p.size), 0)::bigint as bytes
                    from pending_events p
                    where p.target_id is null and p.tenant = channel.tenant
                      and p.name = channel.name and p.correlation = channel.correlation
                      and (p.expires_at is null or p.expires_at > clock_timestamp())) queued

-- Read again after the instances were locked: another transaction may have ended a wait while this
-- one waited for the locks.
-- name: load_waits
select channel.tenant, channel.name, channel.correlation, w.instance_id, w.token, w.began_at, w.operation_id
from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
     channel (tenant, name, correlation, most)
cross join lateral (select * from waits
                    where waits.tenant = channel.tenant and waits.name = channel.name
                      and waits.correlation = channel.correlation
                    order by began_at, operation_id, token
                    limit channel.most) w

-- name: load_completion_waits
select w.awaited_id, w.instance_id, w.token, w.began_at, w.operation_id
from unnest($1::uuid[]) ended (id)
cross join lateral (select * from completion_waits
                    where awaited_id = ended.id
                    order by began_at, operation_id, token
                    limit $2::bigint) w

-- name: load_children_of
select child.parent_id, child.id
from unnest($1::uuid[]) parent (id)
cross join lateral (select parent_id, id from instances
                    where parent_id = parent.id and completed_at is null
                    order by parent_id, id
                    limit $2::bigint) child

-- Of the newest under each key, those of the definition.
-- name: load_under_key
select wanted.tenant, wanted.definition, wanted.key, found.id
from unnest($1::text[], $2::text[], $3::text[]) wanted (tenant, definition, key)
cross join lateral (select id from (select id, tenant, definition_key from instances
                                    where business_key = wanted.key
                                    order by business_key desc, id desc limit 256) newest
                    where newest.tenant = wanted.tenant and newest.definition_key = wanted.definition
                    order by id desc limit $4::bigint) found

-- Queued and dead events; only dead ones have a target status.
-- name: load_known_events (postgres only)
select {events}, null::text, null::timestamptz
from whole_pending_events
where event_id = any($1::uuid[])
union all
select {dead_events}
from whole_dead_events
where event_id = any($1::uuid[])

-- name: load_fates
select {event_fates}
from event_fates
where event_id = any($1::uuid[])
order by at, instance_id

-- name: load_receipts
select f.event_id, f.instance_id
from unnest($1::uuid[], $2::uuid[]) wanted (event_id, instance_id)
join event_fates f on f.event_id = wanted.event_id and f.instance_id = wanted.instance_id

-- name: load_journal (postgres only)
select s.instance_id, s.activity_index, {s.steps}, v.value, {w.winning_conditions}
from unnest($1::uuid[], $2::bigint[]) wanted (instance_id, activity_index)
join steps s on s.instance_id = wanted.instance_id and s.activity_index = wanted.activity_index
left join shared_values v on v.digest = s.value_digest
left join winning_conditions w
       on w.instance_id = s.instance_id and w.activity_index = s.activity_index

-- name: delete_waits
delete from waits w
using (select unnest($1::text[]) as tenant, unnest($2::text[]) as name,
              unnest($3::text[]) as correlation, unnest($4::timestamptz[]) as began_at,
              unnest($5::uuid[]) as operation_id, unnest($6::uuid[]) as token) old
where w.tenant = old.tenant and w.name = old.name and w.correlation = old.correlation
  and w.began_at = old.began_at and w.operation_id = old.operation_id
  and w.token = old.token

-- name: insert_waits
insert into waits (tenant, name, correlation, began_at, operation_id, token, instance_id)
select unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::timestamptz[]),
       unnest($5::uuid[]), unnest($6::uuid[]), unnest($7::uuid[])

-- name: delete_completion_waits
delete from completion_waits w
using unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[])
      old (awaited_id, began_at, operation_id, token)
where w.awaited_id = old.awaited_id and w.began_at = old.began_at
  and w.operation_id = old.operation_id and w.token = old.token

-- name: insert_completion_waits
insert into completion_waits (awaited_id, began_at, operation_id, token, instance_id)
select * from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::uuid[])

-- name: delete_timers
delete from timers t
using unnest($1::uuid[], $2::uuid[]) old (instance_id, token)
where t.instance_id = old.instance_id and t.token = old.token

-- name: put_timers
insert into timers (instance_id, token, due_at)
select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[])
on conflict (instance_id, token) do update set due_at = excluded.due_at

-- Read after the instances were locked, for those that have several waits.
-- name: load_parallel_waits (postgres only)
select instance_id, wait from parallel_waits where instance_id = any($1::uuid[])

-- name: insert_parallel_waits
insert into parallel_waits (instance_id, token, wait)
select * from unnest($1::uuid[], $2::uuid[], $3::text[])

-- name: delete_parallel_waits
delete from parallel_waits w
using unnest($1::uuid[], $2::uuid[]) old (instance_id, token)
where w.instance_id = old.instance_id and w.token = old.token

-- name: delete_steps
delete from steps where instance_id = any($1::uuid[])

-- name: insert_steps
with added as (
    insert into steps (instance_id, activity_index, value_digest, {steps})
    select unnest($1::uuid[]), unnest($2::bigint[]), unnest($3::bytea[]), {$4 as steps}
    on conflict (instance_id, activity_index) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- Young values are not deleted: who refers to one may commit in a moment. A row that is written
-- again is young afterwards, and the delete that waited for it sees that.
-- name: put_values
insert into shared_values as v (digest, value, at)
select * from unnest($1::bytea[], $2::text[], $3::timestamptz[])
on conflict (digest) do update set at = excluded.at
where v.at < excluded.at - interval '30 minutes'

-- name: load_values
select digest, value from shared_values where digest = any($1::bytea[])

-- name: delete_winners
delete from winning_conditions where instance_id = any($1::uuid[])

-- name: insert_winners
with added as (
    insert into winning_conditions (instance_id, activity_index, {winning_conditions})
    select unnest($1::uuid[]), unnest($2::bigint[]), {$3 as winning_conditions}
    on conflict (instance_id, activity_index) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- Concurrent suspends on one channel may take the same broadcast: the guard fails for the second.
-- name: delete_pending_events
with gone as (
    delete from pending_events p using unnest($1::uuid[]) old (event_id)
    where p.event_id = old.event_id
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from gone

-- name: release_pending_events
with changed as (
    update pending_events p set target_id = null
    from unnest($1::uuid[]) old (event_id)
    where p.event_id = old.event_id
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from changed

-- The events queued for instances that ended, by their policy (001.9): the large values stay
-- where they are.
-- name: end_inboxes (postgres only)
with ended as (
    select * from unnest($1::uuid[], $2::text[], $3::timestamptz[])
                  ended (target_id, status, at)),
released as (
    update pending_events p set target_id = null
    from ended
    where p.target_id = ended.target_id and p.on_target_ended = 'broadcast'
      and (p.expires_at is null or p.expires_at > ended.at)),
gone as (
    delete from pending_events p using ended
    where p.target_id = ended.target_id
      and not (p.on_target_ended = 'broadcast'
               and (p.expires_at is null or p.expires_at > ended.at))
    returning p.*, ended.status, ended.at),
fates as (
    insert into event_fates (event_id, instance_id, name, fate, activity_index, at, tenant)
    select event_id, '00000000-0000-0000-0000-000000000000', name,
           case when expires_at <= at then 'expired' else 'discarded' end, 0, at, tenant
    from gone
    where expires_at <= at or on_target_ended = 'discard'
    on conflict (event_id, instance_id) do nothing)
insert into dead_events (event_id, name, target_id, value, value_digest, on_target_ended, keep,
                         accepted_at, expires_at, operation_id, correlation, tenant,
                         target_status, ended_at)
select event_id, name, target_id, value, value_digest, on_target_ended, keep, accepted_at,
       expires_at, operation_id, correlation, tenant, status, at
from gone
where on_target_ended = 'deadLetter' and (expires_at is null or expires_at > at)

-- Discards the events queued for cleared instances; their ids stay known. The nil id means no
-- instance.
-- name: discard_inboxes
with gone as (
    delete from pending_events where target_id = any($1::uuid[]) returning event_id, name, tenant)
insert into event_fates (event_id, instance_id, name, fate, activity_index, at, tenant)
select event_id, '00000000-0000-0000-0000-000000000000', name, 'discarded', 0, clock_timestamp(),
       tenant
from gone
on conflict (event_id, instance_id) do nothing

-- An event id is accepted once, although it may end in other rows on each of two nodes: queued for
-- one target, delivered to another. Only instances are locked before, so that whoever waits here
-- holds nothing else that the other one writes; the check is a later statement than the lock.
-- name: lock_event_ids (postgres only)
select pg_advisory_xact_lock(hashed.id)
from (select distinct hashtextextended(wanted.id::text, 0) as id
      from unnest($1::uuid[]) wanted (id)
      order by 1) hashed

-- name: check_event_ids (postgres only)
select 1 / (not exists (select from pending_events where event_id = any($1::uuid[]))
            and not exists (select from event_fates where event_id = any($1::uuid[]))
            and not exists (select from dead_events where event_id = any($1::uuid[])))::integer

-- If another round has accepted the same event id, the guard fails and the round runs again.
-- name: insert_pending_events
with added as (
    insert into pending_events (size, {events})
    select unnest($1::bigint[]), {$2 as events}
    on conflict (event_id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::bigint[]))::integer from added

-- name: insert_fates
with added as (
    insert into event_fates ({event_fates})
    select {$1 as event_fates}
    on conflict (event_id, instance_id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- name: delete_dead_events
with gone as (
    delete from dead_events d using unnest($1::uuid[]) old (event_id)
    where d.event_id = old.event_id
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from gone

-- name: insert_dead_events
with added as (
    insert into dead_events ({dead_events})
    select * from unnest({$1 dead_events})
    on conflict (event_id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- name: read_pending_events
select {events}
from whole_pending_events
where ($1::uuid is null or event_id > $1)
  and ($2::text is null or name = $2)
  and ($3::uuid is null or target_id = $3)
  and ($5::text is null or tenant = $5)
order by event_id
limit $4::bigint

-- name: read_dead_events
select {dead_events}
from whole_dead_events
where ($1::uuid is null or event_id > $1)
  and ($2::text is null or name = $2)
  and ($3::uuid is null or target_id = $3)
  and ($5::text is null or tenant = $5)
order by event_id
limit $4::bigint

-- Returns the clock even if there is no timer.
-- name: read_due_timers
select clock.now, t.instance_id, t.token, t.due_at
from (select clock_timestamp() as now) clock
left join lateral (select instance_id, token, due_at from timers
                   order by due_at, instance_id
                   limit $1::bigint) t on true
order by t.due_at, t.instance_id
