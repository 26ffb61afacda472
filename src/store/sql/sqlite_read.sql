-- The read side of the SQLite store. Each search statement scans one index, newest first; the other
-- filters are checked row by row.

-- name: search_all (sqlite only)
select i.seq, i.id from instances i where i.seq < ?1 order by i.seq desc limit ?2

-- name: search_open (sqlite only)
select i.seq, i.id from instances i indexed by instances_open
where i.completed_at is null and i.seq < ?1 order by i.seq desc limit ?2

-- name: search_by_definition (sqlite only)
select i.seq, i.id from instances i indexed by instances_definition
where i.definition_key = ?3 and i.seq < ?1 order by i.seq desc limit ?2

-- name: search_by_business_key (sqlite only)
select i.seq, i.id from instances i indexed by instances_business_key
where i.business_key = ?3 and i.seq < ?1 order by i.seq desc limit ?2

-- name: search_by_business_part (sqlite only)
select i.seq, i.id from business_parts b join instances i on i.seq = b.instance
where b.name = ?3 and b.value = ?4 and b.instance < ?1 order by b.instance desc limit ?2

-- name: search_by_state_path (sqlite only)
select i.seq, i.id from state_paths p join instances i on i.seq = p.instance
where p.path_id = ?3 and p.value = ?4 and p.instance < ?1 order by p.instance desc limit ?2

-- name: find_index_path (sqlite only)
select path_id from index_paths where path = ?1 and ready = 1

-- name: read_history
select {h.history}, v.value
from history h left join shared_values v on v.digest = h.value_digest
where h.instance_id = ?1 and h.version >= ?2 order by h.version limit ?3

-- name: read_history_anchor
select version, hash, state, state_metadata, at from history_anchors where instance_id = ?1

-- name: read_conflicts
select {conflicts} from conflicts
where operation_id < ?1 and (?2 is null or resolution = ?2) and (?4 is null or tenant = ?4)
order by operation_id desc limit ?3

-- name: read_conflicts_of_instance (sqlite only)
select {conflicts} from conflicts
where instance_id = ?5 and operation_id < ?1 and (?2 is null or resolution = ?2) and (?4 is null or tenant = ?4)
order by operation_id desc limit ?3

-- name: read_checkpoints
select {c.checkpoints}
from checkpoints c join instances i on i.seq = c.instance
where i.id = ?1 and c.name > ?2 order by c.name limit ?3

-- The columns of read_checkpoints without the documents.
-- name: read_checkpoint_rows
select c.name, c.version, '{}', '{}', c.created_by, c.created_at
from checkpoints c join instances i on i.seq = c.instance
where i.id = ?1 and c.name > ?2 order by c.name limit ?3

-- name: ping
select 1
