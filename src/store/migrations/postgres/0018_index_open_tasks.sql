-- What is open stays few while what has ended grows: an inbox looks through the open ones alone.
create index tasks_open_assignee on tasks (assignee, task_id)
    where ended_at is null and assignee is not null;
create index tasks_open_holder on tasks (holder, task_id) where ended_at is null and holder is not null;
create index tasks_open_definition on tasks (definition_key, task_id) where ended_at is null;
create index tasks_open_queue on tasks (queue, task_id) where ended_at is null and queue is not null;
create index tasks_open_due on tasks (due_at) where ended_at is null and due_at is not null;
create index tasks_open_users on tasks using gin (candidate_users) where ended_at is null;
create index tasks_open_groups on tasks using gin (candidate_groups) where ended_at is null;
