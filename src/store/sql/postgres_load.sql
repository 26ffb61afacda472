-- The first round trip of a round: locks, then the rows that the locks protect, each read by a
-- later statement than its lock.

-- name: begin_round
begin isolation level read committed read write

-- name: rollback_round
rollback

-- Channels that this process has not seen committed. Waits for a transaction that inserts one of
-- them, without holding other locks. Returns the new ones.
-- name: insert_channels (postgres only)
insert into channels (name) select unnest($1::text[]) on conflict (name) do nothing returning name

-- name: lock_channels_exclusive (postgres only)
select name from channels where name = any($1::text[]) order by name for update

-- name: lock_channels_shared (postgres only)
select name from channels where name = any($1::text[]) order by name for share

-- name: lock_instances (postgres only)
select id, tenant, definition_key, definition_version, business_key, business_parts, status,
       paused, incident, quarantined, version, rev, history_hash, started_by, parent_id,
       created_at, execution_started_at, completed_at, updated_at, last_modified_by,
       last_modified_at, checkpoint_name, checkpoint_version, checkpoint_at, state_checksum,
       metadata_checksum, run, activity_index, waiting_json, result, last_error_code,
       last_executed_by, last_executed_at, program_json, snapshot_schema_version
from instances
where id = any($1::uuid[])
order by id
for update

-- The same single sorted pass, which also locks the instances of the oldest waits for each name (no
-- number: of all waits), those that wait for the end of an instance, and the children.
-- name: lock_instances_and_waiters (postgres only)
with wanted as (
    select unnest($1::uuid[]) as id
    union
    select waiting.instance_id
    from unnest($2::text[], $3::bigint[]) channel (name, most)
    cross join lateral (select instance_id from waits where waits.name = channel.name
                        order by began_at, operation_id, instance_id
                        limit channel.most) waiting
    union
    select instance_id from completion_waits where awaited_id = any($4::uuid[])
    union
    select id from instances where parent_id = any($5::uuid[]))
select i.id, i.tenant, i.definition_key, i.definition_version, i.business_key, i.business_parts,
       i.status, i.paused, i.incident, i.quarantined, i.version, i.rev, i.history_hash,
       i.started_by, i.parent_id, i.created_at, i.execution_started_at, i.completed_at,
       i.updated_at, i.last_modified_by, i.last_modified_at, i.checkpoint_name,
       i.checkpoint_version, i.checkpoint_at, i.state_checksum, i.metadata_checksum, i.run,
       i.activity_index, i.waiting_json, i.result, i.last_error_code, i.last_executed_by,
       i.last_executed_at, i.program_json, i.snapshot_schema_version
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
select wanted.id, last.version, last.hash
from unnest($1::uuid[]) wanted (id)
cross join lateral (select version, hash from history
                    where instance_id = wanted.id order by version desc limit 1) last
where not exists (select from instances where instances.id = wanted.id)

-- The newest version of each key, without its content if the caller knows it.
-- name: load_newest_definitions
select newest.key, newest.version,
       case when newest.version <> wanted.known then newest.schema end,
       case when newest.version <> wanted.known then newest.indexes end,
       newest.checksum, newest.created_by, newest.created_at, newest.kind, newest.keep_for,
       newest.stale_after
from unnest($1::text[], $2::integer[]) wanted (key, known)
cross join lateral (select * from definitions
                    where tenant = 'default' and key = wanted.key
                    order by version desc limit 1) newest

-- name: load_definitions
select d.key, d.version, d.schema, d.indexes, d.checksum, d.created_by, d.created_at, d.kind,
       d.keep_for, d.stale_after
from unnest($1::text[], $2::integer[]) wanted (key, version)
join definitions d on d.tenant = 'default' and d.key = wanted.key and d.version = wanted.version

-- The state as of a version, if that is after the last clear.
-- name: load_states
select wanted.id, wanted.version, state.payload, metadata.state_metadata
from unnest($1::uuid[], $2::bigint[]) wanted (id, version)
cross join lateral (select coalesce((select h.version from history h
                                     where h.instance_id = wanted.id and h.type = 'Cleared'
                                     order by h.version desc limit 1), 0) as version) cleared
cross join lateral (select h.payload from history h
                    where h.instance_id = wanted.id and h.version > cleared.version
                      and h.version <= wanted.version
                      and h.type in ('Started', 'StateChanged', 'Written', 'Restored', 'Forked',
                                     'Released')
                    order by h.version desc limit 1) state
cross join lateral (select h.state_metadata from history h
                    where h.instance_id = wanted.id and h.version > cleared.version
                      and h.version <= wanted.version and h.state_metadata is not null
                    order by h.version desc limit 1) metadata

-- name: load_checkpoints
select c.instance_id, c.name, c.version, c.state, c.state_metadata, c.created_by, c.created_at
from unnest($1::uuid[], $2::text[]) wanted (id, name)
join checkpoints c on c.instance_id = wanted.id and c.name = wanted.name

-- name: load_answers
select client_key, request, outcome, operation_id, at
from operations
where tenant = 'default' and client_key = any($1::text[])

-- name: read_clock (postgres only)
select clock_timestamp()
