-- Signals and continuations of a round. Guards count rows as in postgres_write.sql.

-- Runs after the instances are locked: a transaction that changes the continuation of an instance
-- holds the lock of that instance. One sorted pass over signals and continuations; a claim locks
-- only signals and skips locked ones.
-- name: lock_signals (postgres only)
with wanted as (
    select unnest($1::uuid[]) as signal_id
    union
    select c.signal_id from signal_queue c
    where c.instance_id = any($2::uuid[]) and c.type = 'InternalContinue')
select {q.signal_queue}
from wanted
join signal_queue q on q.signal_id = wanted.signal_id
order by q.signal_id
for update of q

-- A later statement than the locks: a lock may have waited for a claim of a node that just joined.
-- name: load_live_nodes (postgres only)
select node_id from nodes where lease_until > clock_timestamp()

-- name: load_scheduled_signals (postgres only)
select {schedule_queue}
from schedule_queue
where signal_id = any($1::uuid[])

-- name: load_dead_letters (postgres only)
select {dead_letters}
from dead_letters
where signal_id = any($1::uuid[])

-- name: load_processed_signals (postgres only)
select signal_id, instance_id from processed_signals where signal_id = any($1::uuid[])

-- The signals of cleared instances; delete_continuations deletes their continuations.
-- name: delete_signals_of (postgres only)
with queued as (
    delete from signal_queue
    where instance_id = any($1::uuid[]) and type <> 'InternalContinue'),
scheduled as (
    delete from schedule_queue where instance_id = any($1::uuid[]))
delete from processed_signals where instance_id = any($1::uuid[])

-- name: delete_continuations (postgres only)
delete from signal_queue where instance_id = any($1::uuid[]) and type = 'InternalContinue'

-- name: restart_attempts (postgres only)
update signal_queue set attempts = 1
where instance_id = any($1::uuid[]) and type = 'InternalContinue'

-- No guard: the rows are locked, and insert_processed_signals or insert_dead_letters counts them.
-- name: delete_signals (postgres only)
delete from signal_queue where signal_id = any($1::uuid[])

-- For an existing id the guard fails and the round runs again. A second continuation violates a
-- unique index and is refused: no other round can have inserted it while the instance is locked.
-- name: insert_signals (postgres only)
with added as (
    insert into signal_queue ({signal_queue}) select {$1 as signal_queue}
    on conflict (signal_id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- name: insert_scheduled_signals (postgres only)
with added as (
    insert into schedule_queue ({schedule_queue}) select * from unnest({$1 schedule_queue})
    on conflict (signal_id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- name: insert_processed_signals (postgres only)
with added as (
    insert into processed_signals (instance_id, signal_id, at)
    select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[])
    on conflict (instance_id, signal_id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- name: delete_dead_letters (postgres only)
with gone as (
    delete from dead_letters d using unnest($1::uuid[]) old (signal_id)
    where d.signal_id = old.signal_id
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from gone

-- name: insert_dead_letters (postgres only)
with added as (
    insert into dead_letters ({dead_letters}) select * from unnest({$1 dead_letters})
    on conflict (signal_id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- One signal per wait or child. The ids derive from operation and target, so that a repeat adds none.
-- name: fan_out_signals (postgres only)
insert into signal_queue ({signal_queue})
select named.signal_id, named.instance_id, named.type, null, named.at, named.at, null, 0, 0,
       convert_to(named.before_id || named.signal_id::text || named.before_token
                  || named.token::text || named.before_instance || named.instance_id::text
                  || named.rest, 'UTF8')
from (select substr(encode(sha256(uuid_send(target.operation_id) || uuid_send(target.token)),
                           'hex'), 1, 32)::uuid as signal_id, target.*
      from (select sent.*, w.instance_id, w.token
            from unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::text[],
                        $7::text[], $8::text[], $9::text[], $10::text[], $11::uuid[],
                        $12::timestamptz[])
                 sent (tenant, name, correlation, awaited_id, parent_id, type, before_id,
                       before_token, before_instance, rest, operation_id, at)
            cross join lateral (
                select waits.instance_id, waits.token from waits
                where waits.tenant = sent.tenant and waits.name = sent.name
                  and waits.correlation = sent.correlation
                union all
                select ends.instance_id, ends.token from completion_waits ends
                where ends.awaited_id = sent.awaited_id
                union all
                select child.id, child.id from instances child
                where child.parent_id = sent.parent_id and child.completed_at is null) w
           ) target) named
on conflict (signal_id) do nothing

-- name: set_last_signals
update instances i set last_signal_id = moved.signal_id
from unnest($1::uuid[], $2::uuid[]) moved (instance_id, signal_id)
where i.id = moved.instance_id
