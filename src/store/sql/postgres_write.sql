-- The second round trip of a round: one statement per table and kind of change, so that the number
-- of statements does not grow with the operations. A guard divides by zero if the number of
-- affected rows is not the number of given rows: that aborts the pipeline before COMMIT. Wide rows
-- come from a select list: a list of functions in `from` copies every column apart, three times as
-- slow.

-- Sets how this transaction commits, because a proxy may have reset the session. Never weakens it:
-- keeps remote_apply.
-- name: write_round
with durable as materialized (
    select set_config('synchronous_commit',
                      case current_setting('synchronous_commit')
                          when 'remote_apply' then 'remote_apply' else 'on' end, true))
insert into rounds (round_id, fate, committed_at)
select $1::uuid, 'committed', clock_timestamp() from durable
returning committed_at

-- The same for a round that the stream tells of. Its position is given when all its instances are locked: so
-- positions follow the versions of an instance. Until the end of the transaction a lock says that a position
-- behind the one that was the last before may still appear (read_stream_bounds).
-- name: write_round_records (postgres only)
with durable as materialized (
    select set_config('synchronous_commit',
                      case current_setting('synchronous_commit')
                          when 'remote_apply' then 'remote_apply' else 'on' end, true)),
announced as materialized (
    select pg_advisory_xact_lock_shared(
        ('stream_positions'::regclass::oid::bigint << 32) | (last_value & 4294967295))
    from stream_positions)
insert into rounds (round_id, fate, committed_at, position, changes)
select $1::uuid, 'committed', clock_timestamp(), nextval('stream_positions'), $2::bytea
from durable, announced
returning committed_at

-- name: delete_instances
with gone as (
    delete from instances i using unnest($1::uuid[], $2::bigint[]) old (id, rev)
    where i.id = old.id and i.rev = old.rev
    returning 1),
released as (  -- from now on its keys grow old
    update operations set instance_id = null, at = clock_timestamp()
    where instance_id = any($1::uuid[]))
select 1 / (count(*) = cardinality($1::uuid[]))::integer from gone

-- Locks the rows in the order of the ids, also where nothing was locked before (check_recalled).
-- name: update_instances
with changed as (
    update instances i
    set ({instance_progress}, waiting_kind, waiting_token, waiting_until, waiting_json,
         row_checksum, state_checksum, metadata_checksum) =
        ({n.instance_progress}, n.waiting_kind, n.waiting_token, n.waiting_until, n.waiting_json,
         n.row_checksum,
         case when n.documents then n.state_checksum else i.state_checksum end,
         case when n.documents then n.metadata_checksum else i.metadata_checksum end)
    from (select unnest($1::uuid[]) as id, unnest($2::bigint[]) as rev_before,
                 unnest($3::boolean[]) as documents, unnest($4::bytea[]) as state_checksum,
                 unnest($5::bytea[]) as metadata_checksum, unnest($6::text[]) as waiting_kind,
                 unnest($7::uuid[]) as waiting_token, unnest($8::timestamptz[]) as waiting_until,
                 unnest($9::text[]) as waiting_json, unnest($10::bigint[]) as row_checksum,
                 {$11 as instance_progress}) n
    where i.id = n.id and i.rev = n.rev_before
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from changed

-- Channels on which such a round begins to wait. Each must be there: nobody else locks a new one.
-- name: lock_known_channels (postgres only)
with locked as (
    select 1 from channels
    where (tenant, name, correlation) in (select * from unnest($1::text[], $2::text[], $3::text[]))
    order by tenant, name, correlation
    for share)
select 1 / (count(*) = cardinality($1::text[]))::integer from locked

-- The continuations under whose leases a round acts that has loaded nothing. After the instances, in
-- the order of lock_signals.
-- name: lock_leases (postgres only)
with held as (
    select 1
    from unnest($1::uuid[], $2::uuid[], $3::bigint[]) known (signal_id, node_id, epoch)
    join signal_queue q on q.signal_id = known.signal_id
    where q.leased_by = known.node_id and q.epoch = known.epoch
    order by q.signal_id
    for update of q)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from held

-- The same for those that end with the round.
-- name: end_leases (postgres only)
with gone as (
    delete from signal_queue q
    using unnest($1::uuid[], $2::uuid[], $3::bigint[]) known (signal_id, node_id, epoch)
    where q.signal_id = known.signal_id and q.leased_by = known.node_id and q.epoch = known.epoch
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from gone

-- What else such a round rests on: its guess of this clock, the lives of the nodes that hold those
-- leases, that nobody waits for the instances that it ends, the newest definitions, channels on which
-- nothing is queued, and instances without queued events or tasks. After the locks.
-- name: check_recalled (postgres only)
select 1 / (clock_timestamp() between $1::timestamptz and $1 + interval '1 second'
            and (select count(*) from nodes
                 where node_id = any($2::uuid[]) and lease_until > clock_timestamp())
                = cardinality($2)
            and not exists (select from completion_waits where awaited_id = any($3::uuid[]))
            and not exists (select from unnest($7::text[], $8::text[], $9::text[])
                                        quiet (tenant, name, correlation)
                            cross join lateral (
                                select from pending_events p
                                where p.target_id is null and p.tenant = quiet.tenant
                                  and p.name = quiet.name and p.correlation = quiet.correlation
                                limit 1) queued)
            and not exists (select from pending_events where target_id = any($10::uuid[]))
            and not exists (select from tasks where instance_id = any($11::uuid[]))
            and not exists (select from unnest($4::text[], $5::text[], $6::integer[])
                                        known (tenant, key, version)
                            join definitions d on d.tenant = known.tenant and d.key = known.key
                                              and d.version > known.version))::integer

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
    select unnest($1::bytea[]), unnest($2::bytea[]), unnest($3::text[]), unnest($4::uuid[]),
           unnest($5::timestamptz[]), unnest($6::text[]), unnest($7::bigint[]), {$8 as instances}
    on conflict (id) do nothing
    returning 1)
select 1 / (count(*) = cardinality($1::bytea[]))::integer from added

-- name: insert_operations
with added as (
    insert into operations (tenant, client_key, request, outcome, operation_id, at, instance_id)
    select unnest($1::text[]), unnest($2::text[]), unnest($3::bytea[]), unnest($4::text[]),
           unnest($5::uuid[]), unnest($6::timestamptz[]), unnest($7::uuid[])
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
insert into history ({history}) select {$1 as history}

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

-- Up to which position nothing can appear any more, and the last position that was given. The lateral join
-- reads the last value before the locks, and the rows are read by a later statement: a round that was given a
-- position by then has its lock or is visible.
-- name: read_stream_bounds (postgres only)
select least(given.last_value, held.lowest), given.last_value
from stream_positions given
cross join lateral (
    select min(given.last_value - behind.by) as lowest
    from (select (given.last_value - l.objid::bigint) & 4294967295 as by
          from pg_locks l
          where l.locktype = 'advisory' and l.mode = 'ShareLock' and l.objsubid = 1
            and l.classid = 'stream_positions'::regclass::oid
            and l.database = (select oid from pg_database where datname = current_database())) behind
    where behind.by < 2147483648) held

-- name: read_stream
select position, changes from rounds where position > $1::bigint order by position limit $2::bigint

-- name: read_forgotten (postgres only)
select coalesce(max(position), 0) from marks where name = 'stream'

-- name: read_fate
select fate from rounds where round_id = $1::uuid
