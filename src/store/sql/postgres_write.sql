-- The second round trip of a round: one statement per table and kind of change, so that the number
-- of statements does not grow with the operations. A guard divides by zero if the number of
-- affected rows is not the number of given rows: that aborts the pipeline before COMMIT.

-- Sets how this transaction commits, because a proxy may have reset the session. Never weakens it:
-- keeps remote_apply.
-- name: write_round
with durable as materialized (
    select set_config('synchronous_commit',
                      case current_setting('synchronous_commit')
                          when 'remote_apply' then 'remote_apply' else 'on' end, true))
insert into rounds (round_id, fate, committed_at)
select $1::uuid, 'committed', clock_timestamp() from durable

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
    set ({instance_progress}, waiting_kind, waiting_token, waiting_until, waiting_json,
         row_checksum, state_checksum, metadata_checksum) =
        ({n.instance_progress}, n.waiting_kind, n.waiting_token, n.waiting_until, n.waiting_json,
         n.row_checksum,
         case when n.documents then n.state_checksum else i.state_checksum end,
         case when n.documents then n.metadata_checksum else i.metadata_checksum end)
    from unnest($1::uuid[], $2::bigint[], $3::boolean[], $4::bytea[], $5::bytea[], $6::text[],
                $7::uuid[], $8::timestamptz[], $9::text[], $10::bigint[], {$11 instance_progress})
         n (id, rev_before, documents, state_checksum, metadata_checksum, waiting_kind,
            waiting_token, waiting_until, waiting_json, row_checksum, {instance_progress})
    where i.id = n.id and i.rev = n.rev_before
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from changed

-- Columns that rarely change; runs after update_instances, which guards the row.
-- name: update_identities (postgres only)
update instances i
set ({instance_identity}) = ({n.instance_identity})
from unnest($1::uuid[], {$2 instance_identity}) n (id, {instance_identity})
where i.id = n.id

-- name: insert_instances
with added as (
    insert into instances
        (state_checksum, metadata_checksum, waiting_kind, waiting_token, waiting_until,
         waiting_json, row_checksum, {instances})
    select * from unnest(
        $1::bytea[], $2::bytea[], $3::text[], $4::uuid[], $5::timestamptz[], $6::text[],
        $7::bigint[], {$8 instances})
    on conflict (id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::bytea[]))::integer from added

-- name: insert_operations
with added as (
    insert into operations (tenant, client_key, request, outcome, operation_id, at, instance_id)
    select * from unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::uuid[],
                         $6::timestamptz[], $7::uuid[])
    on conflict (tenant, client_key) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::text[]))::integer from added

-- name: insert_definitions
with added as (
    insert into definitions ({definitions})
    select {n -> definitions} from unnest({$1 definitions}) n ({definitions})
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
insert into checkpoints (instance_id, {checkpoints})
select * from unnest($1::uuid[], {$2 checkpoints})
on conflict (instance_id, name) do update set ({checkpoints}) = ({excluded.checkpoints})

-- name: insert_history
insert into history ({history}) select * from unnest({$1 history})

-- name: insert_conflicts
insert into conflicts ({conflicts})
select {n -> conflicts} from unnest({$1 conflicts}) n ({conflicts})

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
