-- Events, waits, timers and the journal, for rounds and for the read side. The callers request one
-- row more than they need, to know whether there are more.

-- A kept event stays queued after its delivery to the target.
-- name: load_inboxes
select e.event_id, e.name, e.target_id, e.value, e.on_target_ended, e.keep, e.accepted_at,
       e.expires_at, e.operation_id
from unnest($1::uuid[], $2::text[], $3::bigint[]) inbox (target_id, name, most)
cross join lateral (select * from pending_events p
                    where p.target_id = inbox.target_id and p.name = inbox.name
                      and (p.expires_at is null or p.expires_at > clock_timestamp())
                      and not (p.keep and exists (select from event_fates f
                                                  where f.event_id = p.event_id
                                                    and f.instance_id = p.target_id))
                    order by p.accepted_at, p.operation_id
                    limit inbox.most) e

-- name: load_whole_inboxes
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at,
       operation_id
from pending_events
where target_id = any($1::uuid[])
order by accepted_at, operation_id

-- name: count_inboxes
select inbox.target_id,
       (select count(*) from pending_events p
        where p.target_id = inbox.target_id
          and (p.expires_at is null or p.expires_at > clock_timestamp()))
from unnest($1::uuid[]) inbox (target_id)

-- For a kept broadcast also the instances of the round that already received it.
-- name: load_broadcasts
select e.event_id, e.name, e.target_id, e.value, e.on_target_ended, e.keep, e.accepted_at,
       e.expires_at, e.operation_id,
       case when e.keep then array(select f.instance_id from unnest($3::uuid[]) reader (id)
                                   join event_fates f on f.event_id = e.event_id
                                                     and f.instance_id = reader.id) end
from unnest($1::text[], $2::bigint[]) channel (name, most)
cross join lateral (select * from pending_events p
                    where p.target_id is null and p.name = channel.name
                      and (p.expires_at is null or p.expires_at > clock_timestamp())
                    order by p.accepted_at, p.operation_id
                    limit channel.most) e

-- name: count_broadcasts
select channel.name,
       (select count(*) from pending_events p
        where p.target_id is null and p.name = channel.name
          and (p.expires_at is null or p.expires_at > clock_timestamp()))
from unnest($1::text[]) channel (name)

-- Read again after the instances were locked: another transaction may have ended a wait while this
-- one waited for the locks.
-- name: load_waits
select channel.name, w.instance_id, w.token, w.began_at, w.operation_id
from unnest($1::text[], $2::bigint[]) channel (name, most)
cross join lateral (select * from waits
                    where waits.name = channel.name
                    order by began_at, operation_id, instance_id
                    limit channel.most) w

-- name: load_completion_waits
select awaited_id, instance_id, token, began_at, operation_id
from completion_waits
where awaited_id = any($1::uuid[])
order by began_at, operation_id, instance_id

-- name: load_children_of
select parent_id, id from instances where parent_id = any($1::uuid[]) order by id

-- Queued and dead events; only dead ones have a target status.
-- name: load_known_events (postgres only)
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at,
       operation_id, null::text, null::timestamptz
from pending_events
where event_id = any($1::uuid[])
union all
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at,
       operation_id, target_status, ended_at
from dead_events
where event_id = any($1::uuid[])

-- name: load_fates
select event_id, instance_id, name, fate, activity_index, at
from event_fates
where event_id = any($1::uuid[])
order by at, instance_id

-- name: load_journal (postgres only)
select s.instance_id, s.activity_index, s.name, s.input_hash, s.result, s.value, s.at, w.type,
       w.name
from unnest($1::uuid[], $2::bigint[]) wanted (instance_id, activity_index)
join steps s on s.instance_id = wanted.instance_id and s.activity_index = wanted.activity_index
left join winning_conditions w
       on w.instance_id = s.instance_id and w.activity_index = s.activity_index

-- name: delete_waits
delete from waits w
using unnest($1::text[], $2::timestamptz[], $3::uuid[], $4::uuid[])
      old (name, began_at, operation_id, instance_id)
where w.name = old.name and w.began_at = old.began_at and w.operation_id = old.operation_id
  and w.instance_id = old.instance_id

-- name: insert_waits
insert into waits (name, began_at, operation_id, instance_id, token)
select * from unnest($1::text[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::uuid[])

-- name: delete_completion_waits
delete from completion_waits w
using unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[])
      old (awaited_id, began_at, operation_id, instance_id)
where w.awaited_id = old.awaited_id and w.began_at = old.began_at
  and w.operation_id = old.operation_id and w.instance_id = old.instance_id

-- name: insert_completion_waits
insert into completion_waits (awaited_id, began_at, operation_id, instance_id, token)
select * from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::uuid[])

-- name: delete_timers
delete from timers where instance_id = any($1::uuid[])

-- name: put_timers
insert into timers (instance_id, token, due_at)
select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[])
on conflict (instance_id) do update set token = excluded.token, due_at = excluded.due_at

-- name: delete_steps
delete from steps where instance_id = any($1::uuid[])

-- name: insert_steps
with added as (
    insert into steps (instance_id, activity_index, name, input_hash, result, value, at)
    select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::bytea[], $5::text[], $6::text[],
                         $7::timestamptz[])
    on conflict (instance_id, activity_index) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- name: delete_winners
delete from winning_conditions where instance_id = any($1::uuid[])

-- name: insert_winners
with added as (
    insert into winning_conditions (instance_id, activity_index, type, name)
    select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[])
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

-- Discards the events queued for cleared instances; their ids stay known. The nil id means no
-- instance.
-- name: discard_inboxes
with gone as (
    delete from pending_events where target_id = any($1::uuid[]) returning event_id, name)
insert into event_fates (event_id, instance_id, name, fate, activity_index, at)
select event_id, '00000000-0000-0000-0000-000000000000', name, 'discarded', 0, clock_timestamp()
from gone
on conflict (event_id, instance_id) do nothing

-- An event id is accepted once, although it may end in other rows on each of two nodes: queued for
-- one target, delivered to another. The first statements of a write, so that whoever waits here
-- holds nothing that the other one writes; the check is a later statement than the lock.
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
    insert into pending_events (event_id, name, target_id, value, on_target_ended, keep,
                                accepted_at, expires_at, operation_id)
    select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::boolean[],
                         $7::timestamptz[], $8::timestamptz[], $9::uuid[])
    on conflict (event_id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- name: insert_fates
with added as (
    insert into event_fates (event_id, instance_id, name, fate, activity_index, at)
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[],
                         $6::timestamptz[])
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
    insert into dead_events (event_id, name, target_id, value, on_target_ended, keep, accepted_at,
                             expires_at, operation_id, target_status, ended_at)
    select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::boolean[],
                         $7::timestamptz[], $8::timestamptz[], $9::uuid[], $10::text[],
                         $11::timestamptz[])
    on conflict (event_id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- name: read_pending_events
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at,
       operation_id
from pending_events
where ($1::uuid is null or event_id > $1)
  and ($2::text is null or name = $2)
  and ($3::uuid is null or target_id = $3)
order by event_id
limit $4::bigint

-- name: read_dead_events
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at,
       operation_id, target_status, ended_at
from dead_events
where ($1::uuid is null or event_id > $1)
  and ($2::text is null or name = $2)
  and ($3::uuid is null or target_id = $3)
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
