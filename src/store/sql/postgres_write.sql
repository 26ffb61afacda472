-- The second round trip of a round: one statement per table and kind of change, so that the number
-- of statements does not grow with the operations. A guard divides by zero if the number of
-- affected rows is not the number of given rows: that aborts the pipeline before COMMIT.

-- name: write_round
insert into rounds (round_id, fate, committed_at) values ($1::uuid, 'committed', clock_timestamp())

-- name: delete_instances
with gone as (
    delete from instances i using unnest($1::uuid[], $2::bigint[]) old (id, rev)
    where i.id = old.id and i.rev = old.rev
    returning 1),
released as (  -- from now on its keys grow old
    update operations set instance_id = null, at = clock_timestamp()
    where instance_id = any($1::uuid[]))
select 1 / (count(*) = cardinality($1::uuid[]))::integer from gone

-- name: update_instances
with changed as (
    update instances i
    set (status, paused, incident, quarantined, version, rev, history_hash, completed_at,
         updated_at, last_modified_by, last_modified_at, checkpoint_name, checkpoint_version,
         checkpoint_at, run, activity_index, waiting_kind, waiting_token, waiting_until,
         waiting_json, result, last_error_code, last_executed_by, last_executed_at, program_json,
         state_checksum, metadata_checksum) =
        (n.status, n.paused, n.incident, n.quarantined, n.version, n.rev, n.history_hash,
         n.completed_at, n.updated_at, n.last_modified_by, n.last_modified_at, n.checkpoint_name,
         n.checkpoint_version, n.checkpoint_at, n.run, n.activity_index, n.waiting_kind,
         n.waiting_token, n.waiting_until, n.waiting_json, n.result, n.last_error_code,
         n.last_executed_by, n.last_executed_at, n.program_json,
         case when n.documents then n.state_checksum else i.state_checksum end,
         case when n.documents then n.metadata_checksum else i.metadata_checksum end)
    from unnest($1::uuid[], $2::text[], $3::boolean[], $4::boolean[], $5::boolean[],
                $6::bigint[], $7::bigint[], $8::bytea[], $9::timestamptz[], $10::timestamptz[],
                $11::uuid[], $12::timestamptz[], $13::text[], $14::bigint[], $15::timestamptz[],
                $16::bytea[], $17::bytea[], $18::bigint[], $19::bigint[], $20::text[],
                $21::uuid[], $22::timestamptz[], $23::text[], $24::text[], $25::text[],
                $26::text[], $27::timestamptz[], $28::text[], $29::boolean[], $30::bigint[])
         n (id, status, paused, incident, quarantined, version, rev, history_hash, completed_at,
            updated_at, last_modified_by, last_modified_at, checkpoint_name, checkpoint_version,
            checkpoint_at, state_checksum, metadata_checksum, run, activity_index, waiting_kind,
            waiting_token, waiting_until, waiting_json, result, last_error_code, last_executed_by,
            last_executed_at, program_json, documents, rev_before)
    where i.id = n.id and i.rev = n.rev_before
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from changed

-- Columns that rarely change; runs after update_instances, which guards the row.
-- name: update_identities (postgres only)
update instances i
set (definition_key, definition_version, business_key, business_parts, started_by, parent_id,
     created_at, execution_started_at) =
    (n.definition_key, n.definition_version, n.business_key, n.business_parts, n.started_by,
     n.parent_id, n.created_at, n.execution_started_at)
from unnest($1::uuid[], $2::text[], $3::integer[], $4::text[], $5::jsonb[], $6::uuid[],
            $7::uuid[], $8::timestamptz[], $9::timestamptz[])
     n (id, definition_key, definition_version, business_key, business_parts, started_by,
        parent_id, created_at, execution_started_at)
where i.id = n.id

-- name: insert_instances
with added as (
    insert into instances
        (id, definition_key, definition_version, business_key, business_parts, started_by,
         parent_id, created_at, execution_started_at, tenant, status, paused, incident,
         quarantined, version, rev, history_hash, completed_at, updated_at, last_modified_by,
         last_modified_at, checkpoint_name, checkpoint_version, checkpoint_at, state_checksum,
         metadata_checksum, run, activity_index, waiting_kind, waiting_token, waiting_until,
         waiting_json, result, last_error_code, last_executed_by, last_executed_at, program_json)
    select * from unnest(
        $1::uuid[], $2::text[], $3::integer[], $4::text[], $5::jsonb[], $6::uuid[], $7::uuid[],
        $8::timestamptz[], $9::timestamptz[], $10::text[], $11::text[], $12::boolean[],
        $13::boolean[], $14::boolean[], $15::bigint[], $16::bigint[], $17::bytea[],
        $18::timestamptz[], $19::timestamptz[], $20::uuid[], $21::timestamptz[], $22::text[],
        $23::bigint[], $24::timestamptz[], $25::bytea[], $26::bytea[], $27::bigint[],
        $28::bigint[], $29::text[], $30::uuid[], $31::timestamptz[], $32::text[], $33::text[],
        $34::text[], $35::text[], $36::timestamptz[], $37::text[])
    on conflict (id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from added

-- name: insert_operations
with added as (
    insert into operations (client_key, request, outcome, operation_id, at, instance_id)
    select * from unnest($1::text[], $2::bytea[], $3::text[], $4::uuid[], $5::timestamptz[],
                         $6::uuid[])
    on conflict (tenant, client_key) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::text[]))::integer from added

-- name: insert_definitions
with added as (
    insert into definitions (key, version, schema, indexes, checksum, created_by, created_at, kind,
                             keep_for, stale_after)
    select n.key, n.version, n.schema, string_to_array(n.indexes, ','), n.checksum, n.created_by,
           n.created_at, n.kind, n.keep_for, n.stale_after
    from unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::bytea[], $6::uuid[],
                $7::timestamptz[], $8::text[], $9::bigint[], $10::bigint[])
         n (key, version, schema, indexes, checksum, created_by, created_at, kind, keep_for,
            stale_after)
    on conflict (tenant, key, version) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::text[]))::integer from added

-- name: insert_index_paths
insert into index_paths (path) select unnest($1::text[]) on conflict (path) do nothing

-- name: delete_documents
delete from documents where instance_id = any($1::uuid[])

-- name: put_documents (postgres only)
insert into documents (instance_id, open, state, state_metadata)
select * from unnest($1::uuid[], $2::boolean[], $3::jsonb[], $4::jsonb[])
on conflict (instance_id) do update
set open = excluded.open, state = excluded.state, state_metadata = excluded.state_metadata

-- name: mark_documents (postgres only)
update documents d set open = n.open
from unnest($1::uuid[], $2::boolean[]) n (id, open)
where d.instance_id = n.id and d.open <> n.open

-- name: delete_activities
delete from activities where activity_instance_id = any($1::uuid[])

-- name: insert_activities
insert into activities (activity_instance_id, instance_id, activity_id, is_completed, position)
select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[], $5::bigint[])

-- name: update_activities
update activities a
set activity_id = n.activity_id, is_completed = n.is_completed, position = n.position
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[], $5::bigint[])
     n (id, instance_id, activity_id, is_completed, position)
where a.activity_instance_id = n.id and a.instance_id = n.instance_id

-- name: delete_variables
delete from variables where scope_id = any($1::uuid[])

-- name: insert_variables
insert into variables (scope_id, instance_id, variables, position)
select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[])

-- name: update_variables
update variables v
set variables = n.variables, position = n.position
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[])
     n (id, instance_id, variables, position)
where v.scope_id = n.id and v.instance_id = n.instance_id

-- name: delete_conditions
delete from conditions where condition_state_id = any($1::uuid[])

-- name: insert_conditions
insert into conditions (condition_state_id, instance_id, gateway_activity_instance_id,
                        sequence_flow_id, result, is_evaluated, position)
select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::boolean[], $6::boolean[],
                     $7::bigint[])

-- name: update_conditions
update conditions c
set gateway_activity_instance_id = n.gateway, sequence_flow_id = n.flow, result = n.result,
    is_evaluated = n.is_evaluated, position = n.position
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::boolean[], $6::boolean[],
            $7::bigint[])
     n (id, instance_id, gateway, flow, result, is_evaluated, position)
where c.condition_state_id = n.id and c.instance_id = n.instance_id

-- name: delete_forks
delete from forks where fork_id = any($1::uuid[])

-- name: insert_forks
insert into forks (fork_id, instance_id, gateway_activity_instance_id, tokens, position)
select n.id, n.instance_id, n.gateway, string_to_array(n.tokens, ',')::uuid[], n.position
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[])
     n (id, instance_id, gateway, tokens, position)

-- name: update_forks
update forks f
set gateway_activity_instance_id = n.gateway, tokens = string_to_array(n.tokens, ',')::uuid[],
    position = n.position
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[])
     n (id, instance_id, gateway, tokens, position)
where f.fork_id = n.id and f.instance_id = n.instance_id

-- name: put_checkpoints
insert into checkpoints (instance_id, name, version, state, state_metadata, created_by, created_at)
select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::uuid[],
                     $7::timestamptz[])
on conflict (instance_id, name) do update
set version = excluded.version, state = excluded.state, state_metadata = excluded.state_metadata,
    created_by = excluded.created_by, created_at = excluded.created_at

-- name: insert_history
insert into history (instance_id, version, type, payload, state_metadata, user_id, operation_id,
                     correlation, at, hash)
select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::uuid[],
                     $7::uuid[], $8::text[], $9::timestamptz[], $10::bytea[])

-- name: insert_conflicts
insert into conflicts (operation_id, instance_id, user_id, expected, actual, paths, resolution, at)
select n.id, n.instance_id, n.user_id, n.expected, n.actual,
       array(select path from jsonb_array_elements_text(n.paths) with ordinality e (path, place)
             order by place),
       n.resolution, n.at
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::jsonb[], $7::text[],
            $8::timestamptz[])
     n (id, instance_id, user_id, expected, actual, paths, resolution, at)

-- name: commit_round
commit

-- Fails on the server, for tests of a commit that fails half way.
-- name: fail_write (postgres only)
select 'not a number'::integer

-- Waits for a commit in progress; after that the commit status of the round cannot change.
-- name: settle_round
insert into rounds (round_id, fate, committed_at) values ($1::uuid, 'never', clock_timestamp())
on conflict (round_id) do nothing

-- name: read_fate
select fate from rounds where round_id = $1::uuid
