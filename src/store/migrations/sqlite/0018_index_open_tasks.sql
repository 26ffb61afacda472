-- What is open stays few while what has ended grows: an inbox looks through the open ones alone.
create index tasks_open_assignee on tasks (assignee) where ended_at is null and assignee is not null;
create index tasks_open_holder on tasks (holder) where ended_at is null and holder is not null;
create index tasks_open_definition on tasks (definition_key) where ended_at is null;
create index tasks_open_queue on tasks (queue) where ended_at is null and queue is not null;
create index tasks_open_due on tasks (due_at) where ended_at is null and due_at is not null;

alter table task_candidates add column ended integer not null default 0;
update task_candidates set ended = 1 where task in (select task_id from tasks where ended_at is not null);
create index task_candidates_open on task_candidates (kind, name, task) where ended = 0;
