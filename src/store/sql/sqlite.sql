-- Statements of the SQLite store, one row each: a reused prepared statement costs about 1 us.

-- name: begin_round
begin immediate

-- name: commit_round
commit

-- name: rollback_round
rollback

-- name: load_instance (sqlite only)
select i.seq, {i.instances}, i.state_checksum, i.metadata_checksum, d.state, d.state_metadata,
       coalesce(i.waiting_json, case when i.waiting_token is not null then
           (select '[' || group_concat(w.wait, ',') || ']' from parallel_waits w where w.instance = i.seq) end),
       i.snapshot_schema_version, i.row_checksum
from instances i left join documents d on d.instance = i.seq
where i.id = ?1

-- The same without documents.
-- name: load_instance_row (sqlite only)
select i.seq, {i.instances}, i.state_checksum, i.metadata_checksum, null, null, i.waiting_json,
       i.snapshot_schema_version
from instances i
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
select version, hash, tenant from history where instance_id = ?1 order by version desc limit 1

-- name: load_newest_definitions
select {definitions}
from definitions where tenant = ?1 and key = ?2 order by version desc limit 1

-- name: load_newest_version (sqlite only)
select version, checksum from definitions where tenant = ?1 and key = ?2 order by version desc limit 1

-- name: load_definitions
select {definitions}
from definitions where tenant = ?1 and key = ?2 and version = ?3

-- name: load_states
select coalesce((select h.payload from history h
                 where h.instance_id = ?1 and h.version <= ?2
                   and h.type in ('Started', 'StateChanged', 'Written', 'Restored', 'Forked', 'Released')
                 order by h.version desc limit 1),
                (select a.state from history_anchors a where a.instance_id = ?1 and a.version <= ?2)),
       coalesce((select m.state_metadata from history m
                 where m.instance_id = ?1 and m.version <= ?2 and m.state_metadata is not null
                 order by m.version desc limit 1),
                (select a.state_metadata from history_anchors a
                 where a.instance_id = ?1 and a.version <= ?2))
where not exists (select 1 from history c
                  where c.instance_id = ?1 and c.version >= ?2 and c.type = 'Cleared')

-- name: load_checkpoints
select {c.checkpoints}
from checkpoints c join instances i on i.seq = c.instance where i.id = ?1 and c.name = ?2

-- name: load_answers
select request, outcome, operation_id, at from operations where tenant = ?1 and client_key = ?2

-- name: insert_instances
insert into instances (state_checksum, metadata_checksum, waiting_kind, waiting_token, waiting_until,
    waiting_json, row_checksum, {instances})
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, {?8 instances})

-- name: update_instances
update instances set state_checksum = ?1, metadata_checksum = ?2, waiting_kind = ?3, waiting_token = ?4,
    waiting_until = ?5, waiting_json = ?6, row_checksum = ?7, {instance_progress = ?10}
where seq = ?8 and id = ?9

-- The same without the columns that an index has, or a condition of one: SQLite writes the entry of an index again if
-- the statement names such a column, also if its value stays.
-- name: edit_instances (sqlite only)
update instances set state_checksum = ?1, metadata_checksum = ?2, waiting_kind = ?3, waiting_token = ?4,
    waiting_until = ?5, waiting_json = ?6, row_checksum = ?7, {instance_edit = ?10}
where seq = ?8 and id = ?9

-- The same without those of edits and checkpoints, which most moves of a program leave alone.
-- name: move_instances (sqlite only)
update instances set waiting_kind = ?1, waiting_token = ?2, waiting_until = ?3, waiting_json = ?4, row_checksum = ?5,
    {instance_move = ?8}
where seq = ?6 and id = ?7

-- name: update_instance_identity (sqlite only)
update instances set {instance_identity = ?2} where seq = ?1

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
insert into history ({history}) values ({?1 history})

-- name: insert_conflicts
insert into conflicts ({conflicts}) values ({?1 conflicts})

-- name: insert_definitions
insert into definitions ({definitions}) values ({?1 definitions})

-- name: insert_index_paths
insert or ignore into index_paths (path) values (?1)

-- name: put_checkpoints
insert into checkpoints (instance, {checkpoints})
select seq, {?2 checkpoints} from instances where id = ?1
on conflict (instance, name) do update set ({checkpoints}) = ({excluded.checkpoints})

-- name: delete_checkpoints (sqlite only)
delete from checkpoints where instance = ?1

-- name: insert_operations
insert into operations (tenant, client_key, request, outcome, operation_id, at, instance_id)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7)

-- The instance is gone: from now on its keys grow old.
-- name: release_operations (sqlite only)
update operations set instance_id = null, at = ?2 where instance_id = ?1

-- name: write_round
insert into rounds (position, round_id, fate, committed_at, changes)
values (?1, ?2, 'committed', ?3, ?4)

-- name: settle_round
insert into rounds (position, round_id, fate, committed_at) values (?1, ?2, 'never', ?3)

-- name: read_stream
select position, changes from rounds where position > ?1 order by position limit ?2

-- The last position that was given, the last one that retention deleted, and the lowest number of a round
-- that has no place in the stream.
-- name: read_stream_bounds (sqlite only)
select max(coalesce((select max(position) from rounds), 0), forgotten), forgotten,
       min(coalesce((select min(position) from rounds), 0), 0)
from (select coalesce((select position from marks where name = 'stream'), 0) as forgotten)

-- Without an index: only a lost commit is looked up, which one process on one file does not have.
-- name: read_fate
select fate from rounds where round_id = ?1

-- name: read_index_paths
select path_id, path, ready, backfilled from index_paths order by path_id

-- name: backfill_rows (sqlite only)
select i.seq, d.state from instances i join documents d on d.instance = i.seq
where i.seq > ?1 order by i.seq limit ?2

-- name: set_backfilled (sqlite only)
update index_paths set backfilled = ?2, ready = ?3 where path_id = ?1
