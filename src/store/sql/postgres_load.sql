-- The first round trip of a round: locks, then the rows that the locks protect, each read by a
-- later statement than its lock.

-- name: begin_round
begin isolation level read committed read write

-- name: rollback_round
rollback

-- Channels that this process has not seen committed. Waits for a transaction that inserts one of
-- them, without holding other locks. Returns the new ones.
-- name: insert_channels (postgres only)
insert into channels (tenant, name, correlation)
select * from unnest($1::text[], $2::text[], $3::text[])
on conflict (tenant, name, correlation) do nothing
returning tenant, name, correlation

-- name: lock_channels_exclusive (postgres only)
select 1 from channels
where (tenant, name, correlation) in (select * from unnest($1::text[], $2::text[], $3::text[]))
order by tenant, name, correlation
for update

-- name: lock_channels_shared (postgres only)
select 1 from channels
where (tenant, name, correlation) in (select * from unnest($1::text[], $2::text[], $3::text[]))
order by tenant, name, correlation
for share

-- An instance with several waits shows '[]': they are read by the next statement, because what is
-- read together with the lock may be older than the locked row.
-- name: lock_instances (postgres only)
select {instances}, state_checksum, metadata_checksum,
       coalesce(waiting_json, case when waiting_token is not null then '[]' end),
       snapshot_schema_version, row_checksum
from instances
where id = any($1::uuid[])
order by id
for update

-- The same single sorted pass, which also locks the instances of the oldest waits on each channel, of
-- those that wait for the end of an instance, and the open children.
-- name: lock_instances_and_waiters (postgres only)
with wanted as (
    select unnest($1::uuid[]) as id
    union
    select waiting.instance_id
    from unnest($2::text[], $3::text[], $4::text[], $5::bigint[])
         channel (tenant, name, correlation, most)
    cross join lateral (select instance_id from waits
                        where waits.tenant = channel.tenant and waits.name = channel.name
                          and waits.correlation = channel.correlation
                        order by began_at, operation_id, token
                        limit channel.most) waiting
    union
    select waiting.instance_id
    from unnest($6::uuid[]) ended (id)
    cross join lateral (select instance_id from completion_waits
                        where awaited_id = ended.id
                        order by began_at, operation_id, token
                        limit $8::bigint) waiting
    union
    select child.id
    from unnest($7::uuid[]) parent (id)
    cross join lateral (select id from instances
                        where parent_id = parent.id and completed_at is null
                        order by parent_id, id
                        limit $8::bigint) child)
select {i.instances}, i.state_checksum, i.metadata_checksum,
       coalesce(i.waiting_json, case when i.waiting_token is not null then '[]' end),
       i.snapshot_schema_version, i.row_checksum, wanted.id
from wanted
join instances i on i.id = wanted.id
order by i.id
for update of i

-- name: load_documents (postgres only)
select instance_id, state, state_metadata from documents where instance_id = any($1::uuid[])

-- name: load_activities
select instance_id, activity_instance_id, activity_id, is_completed, position
from activities
where instance_id = any($1::uuid[])

-- name: load_variables
select instance_id, scope_id, variables, position from variables where instance_id = any($1::uuid[])

-- name: load_conditions
select instance_id, condition_state_id, gateway_activity_instance_id, sequence_flow_id, result,
       is_evaluated, position
from conditions
where instance_id = any($1::uuid[])

-- name: load_forks
select instance_id, fork_id, gateway_activity_instance_id, tokens, position
from forks
where instance_id = any($1::uuid[])

-- name: load_lineages
select wanted.id, last.version, last.hash, last.tenant
from unnest($1::uuid[]) wanted (id)
cross join lateral (select version, hash, tenant from history
                    where instance_id = wanted.id order by version desc limit 1) last
where not exists (select from instances where instances.id = wanted.id)

-- The newest version of each key, without its content if the caller knows it.
-- name: load_newest_definitions
select newest.tenant, newest.key, newest.version, {d.definitions}
from unnest($1::text[], $2::text[], $3::integer[]) wanted (tenant, key, known)
cross join lateral (select tenant, key, version from definitions
                    where tenant = wanted.tenant and key = wanted.key
                    order by version desc limit 1) newest
left join definitions d
       on d.tenant = newest.tenant and d.key = newest.key and d.version = newest.version
      and newest.version <> wanted.known

-- name: load_definitions
select {d.definitions}
from unnest($1::text[], $2::text[], $3::integer[]) wanted (tenant, key, version)
join definitions d
    on d.tenant = wanted.tenant and d.key = wanted.key and d.version = wanted.version

-- The state as of a version, if that is after the last clear.
-- name: load_states
select wanted.id, wanted.version, state.payload, metadata.state_metadata
from unnest($1::uuid[], $2::bigint[]) wanted (id, version)
cross join lateral (select coalesce((select h.version from history h
                                     where h.instance_id = wanted.id and h.type = 'Cleared'
                                     order by h.version desc limit 1), 0) as version) cleared
left join history_anchors a
    on a.instance_id = wanted.id and a.version > cleared.version and a.version <= wanted.version
cross join lateral (select coalesce((select h.payload from history h
                                     where h.instance_id = wanted.id and h.version > cleared.version
                                       and h.version <= wanted.version
                                       and h.type in ('Started', 'StateChanged', 'Written',
                                                      'Restored', 'Forked', 'Released')
                                     order by h.version desc limit 1), a.state) as payload) state
cross join lateral (select coalesce((select h.state_metadata from history h
                                     where h.instance_id = wanted.id and h.version > cleared.version
                                       and h.version <= wanted.version
                                       and h.state_metadata is not null
                                     order by h.version desc limit 1),
                                    a.state_metadata) as state_metadata) metadata
where state.payload is not null and metadata.state_metadata is not null

-- name: load_checkpoints
select c.instance_id, {c.checkpoints}
from unnest($1::uuid[], $2::text[]) wanted (id, name)
join checkpoints c on c.instance_id = wanted.id and c.name = wanted.name

-- name: load_answers
select o.tenant, o.client_key, o.request, o.outcome, o.operation_id, o.at
from unnest($1::text[], $2::text[]) wanted (tenant, client_key)
join operations o on o.tenant = wanted.tenant and o.client_key = wanted.client_key

-- name: read_clock (postgres only)
select clock_timestamp()
