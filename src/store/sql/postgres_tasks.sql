-- Human tasks. A round reads them after it has locked their instances.

-- name: load_tasks
select instance_id, {tasks}
from tasks
where task_id = any($1::uuid[])

-- name: load_open_tasks
select instance_id, {tasks}
from tasks
where instance_id = any($1::uuid[]) and ended_at is null

-- name: insert_tasks
insert into tasks (instance_id, {tasks})
select new.instance_id, {new -> tasks}
from unnest($1::uuid[], {$2 tasks}) new (instance_id, {tasks})

-- If another round has changed a task, the guard fails and the round runs again.
-- name: update_tasks
with changed as (
    update tasks t
    set ({task_progress}) = ({new.task_progress})
    from unnest($1::uuid[], $2::bigint[], {$3 task_progress}) new (task_id, before, {task_progress})
    where t.task_id = new.task_id and t.version = new.before
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from changed

-- name: insert_task_events
insert into task_events ({task_events}) select * from unnest({$1 task_events})

-- name: delete_task_events
delete from task_events where instance_id = any($1::uuid[])

-- name: load_task_events
select {task_events}
from task_events
where task_id = $1::uuid and version >= $2::bigint
order by version
limit $3::bigint

-- name: read_tasks (postgres only)
select instance_id, {tasks}
from tasks
where ($1::uuid is null or task_id > $1)
  and ($3::text is null or assignee = $3)
  and ($4::text is null or holder = $4)
  and ($5::text is null or candidate_users @> array[$5])
  and ($6::text is null or candidate_groups @> array[$6])
  and ($7::text is null or definition_key = $7)
  and ($8::text is null or business_key = $8)
  and ($9::text is null or queue = $9)
  and ($10::uuid is null or instance_id = $10)
  and ($11::text[] is null or state = any($11))
  and ($12::timestamptz is null or due_at < $12)
  and ($13::boolean is null or ended_at is null)
  and ($14::jsonb is null or business_parts @> $14)
  and ($15::text is null or tenant = $15)
order by task_id
limit $2::bigint
