-- The read side: committed data, one snapshot per query.

-- name: begin_read (postgres only)
begin isolation level repeatable read read only

-- name: end_read (postgres only)
commit

-- Without documents and active task if the second parameter is false.
-- name: find_instances (postgres only)
select {i.instances}, i.state_checksum, i.metadata_checksum,
       coalesce(i.waiting_json, case when i.waiting_token is not null then
           (select '[' || string_agg(w.wait, ',') || ']' from parallel_waits w
            where w.instance_id = i.id) end),
       i.snapshot_schema_version, i.row_checksum,
       d.state, d.state_metadata,
       case when $2 then
           (select t.task_id from tasks t where t.instance_id = i.id and t.ended_at is null
            order by t.created_at, t.task_id limit 1) end
from instances i
left join documents d on d.instance_id = i.id and $2::boolean
where i.id = any($1::uuid[])

-- Planned for its values on every call, so that an absent filter costs nothing and a present one
-- uses its index. An instance without a document row has {} for both documents and matches no
-- filter on them.
-- name: search_instances (postgres only)
select {i.instances}, i.state_checksum, i.metadata_checksum,
       coalesce(i.waiting_json, case when i.waiting_token is not null then
           (select '[' || string_agg(w.wait, ',') || ']' from parallel_waits w
            where w.instance_id = i.id) end),
       i.snapshot_schema_version, i.row_checksum,
       case when $22::boolean then d.state end, case when $22 then d.state_metadata end
from instances i
left join documents d on d.instance_id = i.id
where ($1::text[] is null or i.status = any($1))
  and ($2::text is null or i.definition_key = $2)
  and ($3::text is null or i.business_key = $3)
  and ($4::jsonb is null or i.business_parts @> $4)
  and ($5::jsonb is null or d.state @> $5)
  and ($6::jsonb is null or d.state_metadata @> $6)
  and ($7::text[] is null or
       (left(d.state #>> $7, 200) = left($8::text, 200) and d.state #>> $7 = $8
        and jsonb_typeof(d.state #> $7) not in ('object', 'array')))
  and ($9::text[] is null or
       (left(d.state #>> $9, 200) = left($10::text, 200) and d.state #>> $9 = $10
        and jsonb_typeof(d.state #> $9) not in ('object', 'array')))
  and ($11::text[] is null or
       (left(d.state #>> $11, 200) = left($12::text, 200) and d.state #>> $11 = $12
        and jsonb_typeof(d.state #> $11) not in ('object', 'array')))
  and ($13::text[] is null or
       (left(d.state #>> $13, 200) = left($14::text, 200) and d.state #>> $13 = $14
        and jsonb_typeof(d.state #> $13) not in ('object', 'array')))
  and ($15::timestamptz is null or i.created_at >= $15)
  and ($16::timestamptz is null or i.created_at < $16)
  and ($17::boolean is null or i.completed_at is null)
  and ($18::boolean is null or d.open)
  and ($19::uuid is null or case when $34::boolean then i.id > $19 else i.id < $19 end)
  and ($20::uuid is null or case when $34 then i.id <= $20 else i.id >= $20 end)
  and ($23::text is null or i.tenant = $23)
  and ($24::timestamptz is null or i.updated_at >= $24)
  and ($25::timestamptz is null or i.updated_at < $25)
  and ($26::boolean is null or i.incident)
  and ($27::boolean is null or i.quarantined)
  and ($28::boolean is null or i.paused)
  and ($29::boolean is null or ((i.incident or i.quarantined) and i.completed_at is null))
  and ($30::boolean is null or i.waiting_kind = 'retry' or i.program_json like '%"retry":{%'
       or i.waiting_json like '%"retry":true%'
       or exists (select from parallel_waits p
                  where p.instance_id = i.id and p.wait like '%"retry":true%'))
  and ($31::uuid is null or i.parent_id = $31)
  and ($32::text is null or i.started_by = $32)
  and ($33::text is null or i.id = any(array(select w.instance_id from waits w
                                             where w.tenant = coalesce($23, 'default')
                                               and w.name = $33)))
  and ($37::timestamptz is null or
       i.id = any(array(select t.instance_id from timers t where t.due_at < $37)))
  and ($35::uuid is null or i.id between $35 and $36::uuid)
order by case when $34 then i.id end, case when not $34 then i.id end desc
limit $21::bigint

-- How long each statement of the same exchange may take.
-- name: search_settings (postgres only)
select set_config('statement_timeout', $1::text, true)

-- Where a page without a suitable index stops.
-- name: search_floor (postgres only)
select id from instances
where $1::uuid is null or case when $3::boolean then id > $1 else id < $1 end
order by case when $3 then id end, case when not $3 then id end desc
offset $2::bigint limit 1

-- name: read_history
select {h.history}, v.value
from history h
left join shared_values v on v.digest = h.value_digest
where h.instance_id = $1::uuid and h.version >= $2::bigint
order by h.version
limit $3::bigint

-- name: count_waits_before
select count(*)
from (select 1 from waits
      where tenant = $1 and name = $2 and correlation = $3
        and (began_at, operation_id, token) < ($4::timestamptz, $5::uuid, $6::uuid)
      limit $7::bigint) before

-- Of the last thousand changes.
-- name: read_newest_incident
select {h.history}, v.value
from history h
left join shared_values v on v.digest = h.value_digest
where h.instance_id = $1::uuid and h.type = 'IncidentRaised'
  and h.version > (select max(n.version) from history n where n.instance_id = $1) - 1000
order by h.version desc
limit 1

-- name: read_continuation (postgres only)
select {q.signal_queue}
from signal_queue q where q.instance_id = $1::uuid and q.type = 'InternalContinue'

-- name: read_history_anchor
select version, hash, state, state_metadata, at from history_anchors where instance_id = $1::uuid

-- name: read_conflicts
select {conflicts}
from conflicts
where ($1::uuid is null or instance_id = $1)
  and ($2::text is null or resolution = $2)
  and ($3::uuid is null or operation_id < $3)
  and ($5::text is null or tenant = $5)
order by operation_id desc
limit $4::bigint

-- name: read_checkpoints
select instance_id, {checkpoints}
from checkpoints
where instance_id = $1::uuid and name > $2::text
order by name
limit $3::bigint

-- The columns of read_checkpoints without the documents.
-- name: read_checkpoint_rows
select instance_id, name, version, '{}'::text, '{}'::text, created_by, created_at
from checkpoints
where instance_id = $1::uuid and name > $2::text
order by name
limit $3::bigint

-- name: read_index_paths
select path, ready from index_paths order by path collate "C"

-- name: ping
select 1
