-- Human tasks. A round reads them after it has locked their instances.

-- name: load_tasks
select task_id, instance_id, definition_key, business_key, business_parts, name, queue, assignee,
       candidate_users, candidate_groups, payload, expected_outputs, outputs, error, due_at, priority, state, holder,
       version, created_at, updated_at, ended_at
from tasks
where task_id = any($1::uuid[])

-- name: load_open_tasks
select task_id, instance_id, definition_key, business_key, business_parts, name, queue, assignee,
       candidate_users, candidate_groups, payload, expected_outputs, outputs, error, due_at, priority, state, holder,
       version, created_at, updated_at, ended_at
from tasks
where instance_id = any($1::uuid[]) and ended_at is null

-- name: insert_tasks
insert into tasks (task_id, instance_id, definition_key, business_key, business_parts, name, queue,
                   assignee, candidate_users, candidate_groups, payload, expected_outputs, outputs, error,
                   due_at, priority, state, holder, version, created_at, updated_at, ended_at)
select task_id, instance_id, definition_key, business_key, business_parts, name, queue, assignee,
       array(select jsonb_array_elements_text(candidate_users)),
       array(select jsonb_array_elements_text(candidate_groups)), payload,
       array(select jsonb_array_elements_text(expected_outputs)), outputs, error, due_at, priority,
       state, holder, version, created_at, updated_at, ended_at
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::text[], $7::text[],
            $8::text[], $9::jsonb[], $10::jsonb[], $11::text[], $12::jsonb[], $13::text[],
            $14::text[], $15::timestamptz[], $16::integer[], $17::text[], $18::text[],
            $19::bigint[], $20::timestamptz[], $21::timestamptz[], $22::timestamptz[])
     new (task_id, instance_id, definition_key, business_key, business_parts, name, queue, assignee,
          candidate_users, candidate_groups, payload, expected_outputs, outputs, error, due_at,
          priority, state, holder, version, created_at, updated_at, ended_at)

-- If another round has changed a task, the guard fails and the round runs again.
-- name: update_tasks
with changed as (
    update tasks t
    set assignee = new.assignee, outputs = new.outputs, error = new.error, state = new.state,
        holder = new.holder, version = new.version, updated_at = new.updated_at,
        ended_at = new.ended_at
    from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[],
                $7::text[], $8::bigint[], $9::timestamptz[], $10::timestamptz[])
         new (task_id, before, assignee, outputs, error, state, holder, version, updated_at,
              ended_at)
    where t.task_id = new.task_id and t.version = new.before
    returning 1)
select 1 / (count(*) = cardinality($1::uuid[]))::integer from changed

-- name: insert_task_events
insert into task_events (task_id, version, instance_id, type, user_id, detail, operation_id, at)
select * from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::text[],
                     $7::uuid[], $8::timestamptz[])

-- name: delete_task_events
delete from task_events where instance_id = any($1::uuid[])

-- name: load_task_events
select task_id, version, instance_id, type, user_id, detail, operation_id, at
from task_events
where task_id = $1::uuid
order by version

-- name: read_tasks (postgres only)
select task_id, instance_id, definition_key, business_key, business_parts, name, queue, assignee,
       candidate_users, candidate_groups, payload, expected_outputs, outputs, error, due_at, priority, state, holder,
       version, created_at, updated_at, ended_at
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
order by task_id
limit $2::bigint
