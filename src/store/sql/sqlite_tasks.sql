-- Human tasks.

-- name: load_tasks
select i.id, {t.tasks}
from tasks t join instances i on i.seq = t.instance where t.task_id = ?1

-- name: load_open_tasks
select i.id, {t.tasks}
from instances i join tasks t on t.instance = i.seq where i.id = ?1 and t.ended_at is null

-- name: insert_tasks
insert into tasks (instance, {tasks}) values (?1, {?2 tasks})

-- name: insert_task_candidates (sqlite only)
insert or ignore into task_candidates (kind, name, task) values (?1, ?2, ?3)

-- name: end_task_candidates (sqlite only)
update task_candidates set ended = 1 where task = ?1

-- name: insert_task_parts (sqlite only)
insert or ignore into task_parts (name, value, task) values (?1, ?2, ?3)

-- name: update_tasks
update tasks set {task_progress = ?3} where task_id = ?1 and version = ?2

-- Names no column that is a condition of an index: its entries stay as they are.
-- name: update_open_tasks (sqlite only)
update tasks set {open_task_progress = ?3} where task_id = ?1 and version = ?2

-- name: insert_task_events
insert into task_events ({task_events}) values ({?1 task_events})

-- name: delete_tasks (sqlite only)
delete from tasks where instance = ?1

-- name: delete_task_events
delete from task_events where instance_id = ?1

-- name: load_task_events
select {task_events} from task_events
where task_id = ?1 and version >= ?2 order by version limit ?3

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
