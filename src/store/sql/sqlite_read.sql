-- The read side of the SQLite store. Each search statement scans one index, newest first, or oldest
-- first if its name says so; the other filters are checked row by row.

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

-- name: search_all_oldest (sqlite only)
select i.seq, i.id from instances i where i.seq > ?1 order by i.seq limit ?2

-- name: search_open_oldest (sqlite only)
select i.seq, i.id from instances i indexed by instances_open
where i.completed_at is null and i.seq > ?1 order by i.seq limit ?2

-- name: search_by_definition_oldest (sqlite only)
select i.seq, i.id from instances i indexed by instances_definition
where i.definition_key = ?3 and i.seq > ?1 order by i.seq limit ?2

-- name: search_by_business_key_oldest (sqlite only)
select i.seq, i.id from instances i indexed by instances_business_key
where i.business_key = ?3 and i.seq > ?1 order by i.seq limit ?2

-- name: search_by_business_part_oldest (sqlite only)
select i.seq, i.id from business_parts b join instances i on i.seq = b.instance
where b.name = ?3 and b.value = ?4 and b.instance > ?1 order by b.instance limit ?2

-- name: search_by_state_path_oldest (sqlite only)
select i.seq, i.id from state_paths p join instances i on i.seq = p.instance
where p.path_id = ?3 and p.value = ?4 and p.instance > ?1 order by p.instance limit ?2

-- These read what their index has and sort it. ?3 is 1, or -1 for the newest first.
-- name: search_with_incident (sqlite only)
select i.seq, i.id from instances i indexed by instances_with_incident
where i.incident = 1 and ?3 * i.seq > ?3 * ?1 order by ?3 * i.seq limit ?2

-- name: search_held (sqlite only)
select i.seq, i.id from instances i indexed by instances_held
where (i.paused = 1 or i.quarantined = 1) and ?3 * i.seq > ?3 * ?1 order by ?3 * i.seq limit ?2

-- name: search_stuck (sqlite only)
select seq, id from (
    select i.seq, i.id from instances i indexed by instances_with_incident where i.incident = 1
    union
    select i.seq, i.id from instances i indexed by instances_held
    where (i.paused = 1 or i.quarantined = 1) and i.quarantined = 1)
where ?3 * seq > ?3 * ?1 order by ?3 * seq limit ?2

-- name: search_by_parent (sqlite only)
select i.seq, i.id from instances i indexed by instances_parent
where i.parent_id = ?4 and ?3 * i.seq > ?3 * ?1 order by ?3 * i.seq limit ?2

-- name: search_by_ids (sqlite only)
select i.seq, i.id from instances i
where i.id between ?4 and ?5 and ?3 * i.seq > ?3 * ?1 order by ?3 * i.seq limit ?2

-- name: search_by_timer (sqlite only)
select distinct i.seq, i.id from timers t join instances i on i.seq = t.instance
where t.due_at < ?4 and ?3 * i.seq > ?3 * ?1 order by ?3 * i.seq limit ?2

-- name: search_by_wait (sqlite only)
select distinct i.seq, i.id from waits w join instances i on i.seq = w.instance
where w.tenant = ?4 and w.name = ?5 and ?3 * i.seq > ?3 * ?1 order by ?3 * i.seq limit ?2

-- name: find_index_path (sqlite only)
select path_id from index_paths where path = ?1 and ready = 1

-- name: read_history
select {h.history}, v.value
from history h left join shared_values v on v.digest = h.value_digest
where h.instance_id = ?1 and h.version >= ?2 order by h.version limit ?3

-- name: count_waits_before
select count(*)
from (select 1 from waits
      where tenant = ?1 and name = ?2 and correlation = ?3
        and (began_at, operation_id, token) < (?4, ?5, ?6)
      limit ?7) before

-- Of the last thousand changes.
-- name: read_newest_incident
select {h.history}, v.value
from history h left join shared_values v on v.digest = h.value_digest
where h.instance_id = ?1 and h.type = 'IncidentRaised'
  and h.version > (select max(n.version) from history n where n.instance_id = ?1) - 1000
order by h.version desc limit 1

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
