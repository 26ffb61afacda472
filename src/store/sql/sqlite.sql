-- Statements of the SQLite store, one row each: a reused prepared statement costs about 1 us.

-- name: begin_round
begin immediate

-- name: commit_round
commit

-- name: rollback_round
rollback

-- name: load_instance (sqlite only)
select i.seq, i.id, i.tenant, i.definition_key, i.definition_version, i.business_key, i.business_parts, i.status,
       i.paused, i.incident, i.quarantined, i.version, i.rev, i.history_hash, i.started_by, i.parent_id,
       i.created_at, i.execution_started_at, i.completed_at, i.updated_at, i.last_modified_by,
       i.last_modified_at, i.checkpoint_name, i.checkpoint_version, i.checkpoint_at, i.state_checksum,
       i.metadata_checksum, d.state, d.state_metadata, i.run, i.activity_index, i.waiting_json, i.result,
       i.last_error_code, i.last_executed_by, i.last_executed_at, i.program_json, i.snapshot_schema_version
from instances i left join documents d on d.instance = i.seq
where i.id = ?1

-- name: load_activities
select activity_instance_id, activity_id, is_completed, position from activities where instance = ?1

-- name: load_variables
select scope_id, variables, position from variables where instance = ?1

-- name: load_conditions
select condition_state_id, gateway_activity_instance_id, sequence_flow_id, result, is_evaluated, position
from conditions where instance = ?1

-- name: load_forks
select fork_id, gateway_activity_instance_id, tokens, position from forks where instance = ?1

-- name: load_lineages
select version, hash from history where instance_id = ?1 order by version desc limit 1

-- name: load_newest_definitions
select key, version, schema, indexes, checksum, created_by, created_at, kind, keep_for, stale_after
from definitions where tenant = 'default' and key = ?1 order by version desc limit 1

-- name: load_definitions
select key, version, schema, indexes, checksum, created_by, created_at, kind, keep_for, stale_after
from definitions where tenant = 'default' and key = ?1 and version = ?2

-- name: load_states
select h.payload,
       (select m.state_metadata from history m
        where m.instance_id = ?1 and m.version <= ?2 and m.state_metadata is not null
        order by m.version desc limit 1)
from history h
where h.instance_id = ?1 and h.version <= ?2
  and h.type in ('Started', 'StateChanged', 'Written', 'Restored', 'Forked', 'Released')
  and not exists (select 1 from history c
                  where c.instance_id = ?1 and c.version >= ?2 and c.type = 'Cleared')
order by h.version desc limit 1

-- name: load_checkpoints
select c.name, c.version, c.state, c.state_metadata, c.created_by, c.created_at
from checkpoints c join instances i on i.seq = c.instance where i.id = ?1 and c.name = ?2

-- name: load_answers
select request, outcome, operation_id, at from operations where tenant = 'default' and client_key = ?1

-- name: insert_instances
insert into instances (id, tenant, definition_key, definition_version, business_key, business_parts, status,
    paused, incident, quarantined, version, rev, history_hash, started_by, parent_id, created_at,
    execution_started_at, completed_at, updated_at, last_modified_by, last_modified_at, checkpoint_name,
    checkpoint_version, checkpoint_at, state_checksum, metadata_checksum, run, activity_index, waiting_kind,
    waiting_token, waiting_until, waiting_json, result, last_error_code, last_executed_by, last_executed_at,
    program_json)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
    ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37)

-- name: update_instances
update instances set status = ?2, paused = ?3, incident = ?4, quarantined = ?5, version = ?6, rev = ?7,
    history_hash = ?8, completed_at = ?9, updated_at = ?10, last_modified_by = ?11, last_modified_at = ?12,
    checkpoint_name = ?13, checkpoint_version = ?14, checkpoint_at = ?15, state_checksum = ?16,
    metadata_checksum = ?17, run = ?18, activity_index = ?19, waiting_kind = ?20, waiting_token = ?21,
    waiting_until = ?22, waiting_json = ?23, result = ?24, last_error_code = ?25, last_executed_by = ?26,
    last_executed_at = ?27, program_json = ?28
where seq = ?1

-- name: update_instance_identity (sqlite only)
update instances set definition_key = ?2, definition_version = ?3, business_key = ?4, business_parts = ?5,
    started_by = ?6, parent_id = ?7, created_at = ?8, execution_started_at = ?9
where seq = ?1

-- name: delete_instances
delete from instances where seq = ?1

-- name: insert_document (sqlite only)
insert into documents (instance, state, state_metadata) values (?1, ?2, ?3)

-- name: update_document (sqlite only)
update documents set state = ?2, state_metadata = ?3 where instance = ?1

-- name: delete_documents
delete from documents where instance = ?1

-- name: insert_state_path (sqlite only)
insert or ignore into state_paths (path_id, value, instance) values (?1, ?2, ?3)

-- name: delete_state_path (sqlite only)
delete from state_paths where path_id = ?1 and value = ?2 and instance = ?3

-- name: insert_business_part (sqlite only)
insert or ignore into business_parts (name, value, instance) values (?1, ?2, ?3)

-- name: delete_business_part (sqlite only)
delete from business_parts where name = ?1 and value = ?2 and instance = ?3

-- name: insert_activities
insert into activities (activity_instance_id, instance, activity_id, is_completed, position)
values (?1, ?2, ?3, ?4, ?5)

-- name: update_activities
update activities set activity_id = ?2, is_completed = ?3, position = ?4 where activity_instance_id = ?1

-- name: delete_activities
delete from activities where activity_instance_id = ?1

-- name: insert_variables
insert into variables (scope_id, instance, variables, position) values (?1, ?2, ?3, ?4)

-- name: update_variables
update variables set variables = ?2, position = ?3 where scope_id = ?1

-- name: delete_variables
delete from variables where scope_id = ?1

-- name: insert_conditions
insert into conditions (condition_state_id, instance, gateway_activity_instance_id, sequence_flow_id, result,
    is_evaluated, position)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7)

-- name: update_conditions
update conditions set result = ?2, is_evaluated = ?3, position = ?4 where condition_state_id = ?1

-- name: delete_conditions
delete from conditions where condition_state_id = ?1

-- name: insert_forks
insert into forks (fork_id, instance, gateway_activity_instance_id, tokens, position)
values (?1, ?2, ?3, ?4, ?5)

-- name: update_forks
update forks set gateway_activity_instance_id = ?2, tokens = ?3, position = ?4 where fork_id = ?1

-- name: delete_forks
delete from forks where fork_id = ?1

-- name: insert_history
insert into history (instance_id, version, type, payload, state_metadata, user_id, operation_id, correlation,
    at, hash)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)

-- name: insert_conflicts
insert into conflicts (operation_id, instance_id, user_id, expected, actual, paths, resolution, at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)

-- name: insert_definitions
insert into definitions (key, version, schema, indexes, checksum, created_by, created_at, kind, keep_for,
    stale_after)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)

-- name: insert_index_paths
insert or ignore into index_paths (path) values (?1)

-- name: put_checkpoints
insert into checkpoints (instance, name, version, state, state_metadata, created_by, created_at)
select seq, ?2, ?3, ?4, ?5, ?6, ?7 from instances where id = ?1
on conflict (instance, name) do update set version = excluded.version, state = excluded.state,
    state_metadata = excluded.state_metadata, created_by = excluded.created_by,
    created_at = excluded.created_at

-- name: delete_checkpoints (sqlite only)
delete from checkpoints where instance = ?1

-- name: insert_operations
insert into operations (client_key, request, outcome, operation_id, at, instance_id)
values (?1, ?2, ?3, ?4, ?5, ?6)

-- The instance is gone: from now on its keys grow old.
-- name: release_operations (sqlite only)
update operations set instance_id = null, at = ?2 where instance_id = ?1

-- name: write_round
insert into rounds (round_id, fate, committed_at) values (?1, 'committed', ?2)

-- name: settle_round
insert or ignore into rounds (round_id, fate, committed_at) values (?1, 'never', ?2)

-- name: read_fate
select fate from rounds where round_id = ?1

-- name: read_index_paths
select path_id, path, ready, backfilled from index_paths order by path_id

-- name: backfill_rows (sqlite only)
select i.seq, d.state from instances i join documents d on d.instance = i.seq
where i.seq > ?1 order by i.seq limit ?2

-- name: set_backfilled (sqlite only)
update index_paths set backfilled = ?2, ready = ?3 where path_id = ?1
