-- Nodes, claims, announcements, host locks and marks: statements outside a round.

-- Repeating a lost join changes nothing. Deletes lives that ended more than a day ago.
-- name: join_node (postgres only)
with forgotten as (
    delete from nodes where lease_until < clock_timestamp() - interval '1 day')
insert into nodes ({nodes})
select $1::uuid, $2::text, clock.now, clock.now, clock.now + $3::bigint * interval '1 microsecond',
       $4::text, $5::text[]
from (select clock_timestamp() as now) clock
on conflict (node_id) do nothing

-- Finds the lease holders by skip scan: one index probe per node.
-- name: beat_node (postgres only)
with recursive clock as materialized (select clock_timestamp() as now),
renewed as (
    update nodes n
    set beat_at = clock.now, lease_until = clock.now + $2::bigint * interval '1 microsecond',
        follows = $4::boolean
    from clock
    where n.node_id = $1::uuid and n.lease_until > clock.now
    returning 1),
holders (node_id) as (
    (select leased_by from signal_queue where leased_by is not null order by leased_by limit 1)
    union all
    select (select q.leased_by from signal_queue q where q.leased_by > h.node_id
            order by q.leased_by limit 1)
    from holders h where h.node_id is not null)
select clock.now,
       exists (select from renewed),
       (select count(*) from nodes
        where node_id <> $1 and kind = 'node' and lease_until > clock.now),
       least((select q.visible_at from first_signals q
              where q.leased_by is null and q.program is null
              order by q.program, q.visible_at limit 1),
             (select min(free.visible_at)
              from unnest($3::text[]) mine (program)
              cross join lateral (select q.visible_at from first_signals q
                                  where q.leased_by is null and q.program = mine.program
                                  order by q.visible_at limit 1) free),
             (select due_at from schedule_queue order by due_at limit 1),
             (select min(greatest(coalesce(n.lease_until, clock.now), held.visible_at))
              from holders h
              left join nodes n on n.node_id = h.node_id
              cross join lateral (select q.visible_at from signal_queue q
                                  where q.leased_by = h.node_id
                                    and (q.program is null or q.program = any($3))
                                  order by q.visible_at limit 1) held
              where h.node_id <> $1)),
       (select due_at from timers order by due_at limit 1),
       exists (select from nodes n where n.node_id <> $1 and n.follows and n.lease_until > clock.now),
       (select last_value from stream_positions)
from clock

-- Frees the leases of a node that leaves; the attempts do not count. Rows that are locked right now
-- keep their lease, but count as free because their node is gone.
-- name: leave_node (postgres only)
with held as materialized (
    select signal_id from signal_queue where leased_by = $1::uuid for update skip locked),
freed as (
    update signal_queue set leased_by = null, attempts = greatest(attempts - 1, 0)
    where signal_id = any(array(select signal_id from held)))
delete from nodes where node_id = $1

-- name: read_nodes (postgres only)
select {nodes} from nodes order by started_at, node_id

-- name: read_node (postgres only)
select {nodes} from nodes where node_id = $1

-- A page of continuations, and of each whether no live holder has its program.
-- name: read_stranded (postgres only)
select clock.now, q.signal_id, q.instance_id, q.program, q.visible_at,
       exists (select from instances i where i.id = q.instance_id and i.incident),
       not exists (select from nodes n
                   where n.lease_until > clock.now
                     and (n.node_id = q.leased_by or q.program = any(n.programs)))
from (select clock_timestamp() as now) clock
left join lateral (select * from signal_queue
                   where signal_id > $1::uuid and type = 'InternalContinue'
                   order by signal_id limit $2::bigint) q on true
order by q.signal_id

-- name: begin_claim (postgres only)
begin isolation level read committed read write

-- name: move_due_signals (postgres only)
with due as materialized (
    select signal_id from schedule_queue where due_at <= now()
    order by due_at limit 1000
    for update skip locked),
moved as (
    delete from schedule_queue s where s.signal_id = any(array(select signal_id from due))
    returning {s.signal_head}, s.due_at, s.envelope)
insert into signal_queue ({signal_head}, visible_at, epoch, attempts, envelope)
select {signal_head}, due_at, 0, 0, envelope from moved
on conflict (signal_id) do nothing

-- Only a live node can claim: free signals without a program, free signals of its programs, and
-- signals that dead nodes hold. Skips rows that a round has locked. The array of ids makes the
-- update use the primary key.
-- name: claim_signals (postgres only)
with recursive holders (node_id) as (
    (select leased_by from signal_queue where leased_by is not null order by leased_by limit 1)
    union all
    select (select q.leased_by from signal_queue q where q.leased_by > h.node_id
            order by q.leased_by limit 1)
    from holders h where h.node_id is not null),
dead as (
    select h.node_id from holders h
    left join nodes n on n.node_id = h.node_id
    where h.node_id is not null and (n.node_id is null or n.lease_until <= clock_timestamp())),
found as materialized (
    select anyones.signal_id, anyones.enqueued_at
    from (select q.signal_id, q.enqueued_at from first_signals q
          where q.leased_by is null and q.program is null and q.visible_at <= now()
            and $4::boolean
          order by q.program, q.visible_at limit $3::bigint
          for update skip locked) anyones
    union all
    select free.signal_id, free.enqueued_at
    from unnest($2::text[]) mine (program)
    cross join lateral (select q.signal_id, q.enqueued_at from first_signals q
                        where q.leased_by is null and q.program = mine.program
                          and q.visible_at <= now()
                        order by q.visible_at limit $3
                        for update skip locked) free
    union all
    select held.signal_id, held.enqueued_at
    from dead
    cross join lateral (select q.signal_id, q.enqueued_at from first_signals q
                        where q.leased_by = dead.node_id and q.visible_at <= now()
                          and (q.program is null and $4 or q.program = any($2))
                        order by q.visible_at limit $3
                        for update skip locked) held),
oldest as (
    select signal_id from found
    where exists (select from nodes where node_id = $1::uuid and lease_until > clock_timestamp())
    order by enqueued_at, signal_id limit $3),
claimed as (
    update signal_queue q
    set leased_by = $1, epoch = q.epoch + 1, attempts = q.attempts + 1
    where q.signal_id = any(array(select signal_id from oldest))
    returning {q.signal_queue})
select * from claimed order by enqueued_at, signal_id

-- Like beat_node, for the signals that a claim left.
-- name: read_claimable (postgres only)
with recursive clock as materialized (select clock_timestamp() as now),
holders (node_id) as (
    (select leased_by from signal_queue where leased_by is not null order by leased_by limit 1)
    union all
    select (select q.leased_by from signal_queue q where q.leased_by > h.node_id
            order by q.leased_by limit 1)
    from holders h where h.node_id is not null)
select clock.now,
       least((select q.visible_at from first_signals q
              where q.leased_by is null and q.program is null
              order by q.program, q.visible_at limit 1),
             (select min(free.visible_at)
              from unnest($2::text[]) mine (program)
              cross join lateral (select q.visible_at from first_signals q
                                  where q.leased_by is null and q.program = mine.program
                                  order by q.visible_at limit 1) free),
             (select due_at from schedule_queue order by due_at limit 1),
             (select min(greatest(coalesce(n.lease_until, clock.now), held.visible_at))
              from holders h
              left join nodes n on n.node_id = h.node_id
              cross join lateral (select q.visible_at from signal_queue q
                                  where q.leased_by = h.node_id
                                    and (q.program is null or q.program = any($2))
                                  order by q.visible_at limit 1) held
              where h.node_id <> $1::uuid))
from clock

-- name: commit_claim (postgres only)
commit

-- name: give_back_signal (postgres only)
update signal_queue
set leased_by = null, visible_at = clock_timestamp() + $4::bigint * interval '1 microsecond',
    attempts = attempts - $5::bigint
where signal_id = $1::uuid and leased_by = $2::uuid and epoch = $3::bigint

-- name: read_dead_letters (postgres only)
select {dead_letters}
from dead_letters
where ($1::uuid is null or signal_id > $1)
  and ($2::text is null or reason = $2)
  and ($3::uuid is null or instance_id = $3)
  and ($5::text is null or tenant = $5)
order by signal_id
limit $4::bigint

-- name: read_jobs (postgres only)
select {q.signal_queue}
from signal_queue q join instances i on i.id = q.instance_id
where q.type = 'Job' and ($1::uuid is null or q.signal_id > $1)
  and ($2::text is null or q.program = $2)
  and ($3::text is null or i.definition_key = $3)
  and ($4::uuid is null or q.instance_id = $4)
  and ($6::text is null or i.tenant = $6)
order by q.signal_id
limit $5::bigint

-- name: read_incidents (postgres only)
select {i.incidents}
from instances i
where i.incident and i.status in ('running', 'suspended') and ($1::uuid is null or i.id > $1)
  and ($2::text is null or i.last_error_code = $2)
  and ($3::text is null or i.definition_key = $3)
  and ($4::uuid is null or i.id = $4)
  and ($6::text is null or i.tenant = $6)
order by i.id
limit $5::bigint

-- name: read_journals (postgres only)
select wanted.position, s.instance_id, s.activity_index, {s.steps}, v.value, {w.winning_conditions}
from unnest($1::uuid[], $2::bigint[], $3::bigint[]) with ordinality
     wanted (instance_id, first, most, position)
cross join lateral (select * from steps
                    where steps.instance_id = wanted.instance_id
                      and steps.activity_index >= wanted.first
                    order by steps.activity_index
                    limit wanted.most) s
left join shared_values v on v.digest = s.value_digest
left join winning_conditions w
       on w.instance_id = s.instance_id and w.activity_index = s.activity_index
order by wanted.position, s.activity_index

-- name: notify (postgres only)
select pg_notify('holdfast', $1::text)

-- name: listen (postgres only)
listen holdfast

-- Returns a row only if the caller now holds the lock.
-- name: take_host_lock (postgres only)
insert into host_locks as held ({host_locks})
values ($1::text, $2::text, clock_timestamp() + $3::bigint * interval '1 microsecond', 1)
on conflict (name) do update
set owner = excluded.owner, until = excluded.until,
    term = held.term + (held.owner <> excluded.owner)::integer
where held.owner = excluded.owner or held.until <= clock_timestamp()
returning {held.host_locks}

-- The newest version of each key, in the order of the keys.
-- name: read_definition_keys (postgres only)
select {d.definition_summary} from definitions d
where d.tenant = $3::text and d.key collate "C" > $1::text collate "C"
  and d.version = (select max(n.version) from definitions n
                   where n.tenant = d.tenant and n.key = d.key)
order by d.key collate "C" limit $2::bigint

-- The versions of one key, the newest first.
-- name: read_definition_versions (postgres only)
select {d.definition_summary} from definitions d
where d.tenant = $4::text and d.key = $1::text and ($2::bigint = 0 or d.version < $2::bigint)
order by d.version desc limit $3::bigint

-- From the newest version of each definition, if it sets any.
-- name: read_retentions (postgres only)
select d.key, d.keep_for, d.stale_after from definitions d
where d.tenant = 'default' and (d.keep_for is not null or d.stale_after is not null)
  and d.version = (select max(n.version) from definitions n
                   where n.tenant = d.tenant and n.key = d.key)

-- Each up to $1.
-- name: count_backlog (postgres only)
select (select count(*) from (select from instances where incident limit $1::bigint) one),
       (select count(*) from (select from tasks where ended_at is null limit $1) one),
       (select count(*) from (select from dead_letters limit $1) one),
       (select count(*) from (select from dead_events limit $1) one),
       (select count(*) from (select from signal_queue limit $1) one),
       (select min(visible_at) from (select visible_at from signal_queue
                                     where leased_by is null limit $1) one),
       (select count(*) from (select from timers limit $1) one),
       (select min(due_at) from timers),
       clock_timestamp()

-- name: count_open (postgres only)
select definition_key, status, count(*)
from (select definition_key, status from instances
      where completed_at is null order by id desc limit $1::bigint) one
group by definition_key, status order by 3 desc, 1, 2 limit $2::bigint

-- name: read_host_locks (postgres only)
select {host_locks} from host_locks order by name collate "C"

-- name: read_mark (postgres only)
select at from marks where name = $1::text

-- name: set_mark (postgres only)
insert into marks (name, at) values ($1::text, $2::timestamptz)
on conflict (name) do update set at = excluded.at
