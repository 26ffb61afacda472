-- Human tasks.

-- name: load_tasks
select t.task_id, i.id, t.definition_key, t.business_key, t.business_parts, t.name, t.queue, t.assignee, t.candidate_users,
       t.candidate_groups, t.payload, t.expected_outputs, t.outputs, t.error, t.due_at, t.priority, t.state,
       t.holder, t.version, t.created_at, t.updated_at, t.ended_at
from tasks t join instances i on i.seq = t.instance where t.task_id = ?1

-- name: load_open_tasks
select t.task_id, i.id, t.definition_key, t.business_key, t.business_parts, t.name, t.queue, t.assignee, t.candidate_users,
       t.candidate_groups, t.payload, t.expected_outputs, t.outputs, t.error, t.due_at, t.priority, t.state,
       t.holder, t.version, t.created_at, t.updated_at, t.ended_at
from instances i join tasks t on t.instance = i.seq where i.id = ?1 and t.ended_at is null

-- name: insert_tasks
insert into tasks (task_id, instance, definition_key, business_key, business_parts, name, queue, assignee,
    candidate_users, candidate_groups, payload, expected_outputs, outputs, error, due_at, priority, state, holder,
    version, created_at, updated_at, ended_at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)

-- name: insert_task_candidates (sqlite only)
insert or ignore into task_candidates (kind, name, task) values (?1, ?2, ?3)

-- name: end_task_candidates (sqlite only)
update task_candidates set ended = 1 where task = ?1

-- name: insert_task_parts (sqlite only)
insert or ignore into task_parts (name, value, task) values (?1, ?2, ?3)

-- name: update_tasks
update tasks set assignee = ?3, outputs = ?4, error = ?5, state = ?6, holder = ?7, version = ?8,
    updated_at = ?9, ended_at = ?10
where task_id = ?1 and version = ?2

-- name: insert_task_events
insert into task_events (task_id, version, instance_id, type, user_id, detail, operation_id, at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)

-- name: delete_tasks (sqlite only)
delete from tasks where instance = ?1

-- name: delete_task_events
delete from task_events where instance_id = ?1

-- name: load_task_events
select version, instance_id, type, user_id, detail, operation_id, at from task_events
where task_id = ?1 order by version

-- Candidates for a list, each by one index; the other filters are checked row by row.
-- name: find_tasks (sqlite only)
select task_id from tasks where task_id > ?1 order by task_id limit ?2

-- name: find_open_tasks (sqlite only)
select task_id from tasks where ended_at is null and task_id > ?1 order by task_id limit ?2

-- name: find_tasks_by_assignee (sqlite only)
select task_id from tasks indexed by tasks_assignee
where assignee = ?3 and task_id > ?1 order by task_id limit ?2

-- name: find_open_tasks_by_assignee (sqlite only)
select task_id from tasks indexed by tasks_open_assignee
where assignee = ?3 and ended_at is null and task_id > ?1 order by task_id limit ?2

-- name: find_tasks_by_holder (sqlite only)
select task_id from tasks indexed by tasks_holder
where holder = ?3 and task_id > ?1 order by task_id limit ?2

-- name: find_open_tasks_by_holder (sqlite only)
select task_id from tasks indexed by tasks_open_holder
where holder = ?3 and ended_at is null and task_id > ?1 order by task_id limit ?2

-- name: find_tasks_by_queue (sqlite only)
select task_id from tasks indexed by tasks_queue
where queue = ?3 and task_id > ?1 order by task_id limit ?2

-- name: find_open_tasks_by_queue (sqlite only)
select task_id from tasks indexed by tasks_open_queue
where queue = ?3 and ended_at is null and task_id > ?1 order by task_id limit ?2

-- name: find_tasks_by_definition (sqlite only)
select task_id from tasks indexed by tasks_definition
where definition_key = ?3 and task_id > ?1 order by task_id limit ?2

-- name: find_open_tasks_by_definition (sqlite only)
select task_id from tasks indexed by tasks_open_definition
where definition_key = ?3 and ended_at is null and task_id > ?1 order by task_id limit ?2

-- name: find_tasks_by_user (sqlite only)
select task from task_candidates where kind = 'user' and name = ?3 and task > ?1 order by task limit ?2

-- name: find_open_tasks_by_user (sqlite only)
select task from task_candidates indexed by task_candidates_open
where kind = 'user' and name = ?3 and ended = 0 and task > ?1 order by task limit ?2

-- name: find_tasks_by_group (sqlite only)
select task from task_candidates where kind = 'group' and name = ?3 and task > ?1 order by task limit ?2

-- name: find_open_tasks_by_group (sqlite only)
select task from task_candidates indexed by task_candidates_open
where kind = 'group' and name = ?3 and ended = 0 and task > ?1 order by task limit ?2

-- name: find_tasks_by_business_key (sqlite only)
select task_id from tasks indexed by tasks_business_key
where business_key = ?3 and task_id > ?1 order by task_id limit ?2

-- name: find_tasks_by_part (sqlite only)
select task from task_parts where name = ?3 and value = ?4 and task > ?1 order by task limit ?2

-- name: find_tasks_of_instance (sqlite only)
select task_id from tasks indexed by tasks_instance
where instance = (select seq from instances where id = ?3) and task_id > ?1 order by task_id limit ?2

-- name: find_open_tasks_of_instance (sqlite only)
select task_id from tasks indexed by tasks_instance
where instance = (select seq from instances where id = ?3) and ended_at is null and task_id > ?1
order by task_id limit ?2

-- name: find_tasks_due (sqlite only)
select task_id from tasks indexed by tasks_due where due_at < ?1 limit ?2

-- name: find_open_tasks_due (sqlite only)
select task_id from tasks indexed by tasks_open_due where due_at < ?1 and ended_at is null limit ?2

-- name: find_active_task (sqlite only)
select task_id from tasks indexed by tasks_instance
where instance = ?1 and ended_at is null order by created_at, task_id limit 1
