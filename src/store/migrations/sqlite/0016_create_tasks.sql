-- What instances ask people to do. Children of their instance: they live and die with it.
create table tasks (
    task_id          blob    primary key,
    instance         integer not null references instances (seq) on delete cascade,
    definition_key   text    not null,
    business_key     text,
    name             text    not null,
    queue            text,
    assignee         text,
    candidate_users  text    not null,
    candidate_groups text    not null,
    payload          text    not null,
    expected_outputs text    not null,
    outputs          text,
    error            text,
    due_at           integer,
    priority         integer not null,
    state            text    not null,
    holder           text,
    version          integer not null,
    created_at       integer not null,
    updated_at       integer not null,
    ended_at         integer
) without rowid;
create index tasks_instance on tasks (instance, ended_at);
create index tasks_open on tasks (task_id) where ended_at is null;
create index tasks_assignee on tasks (assignee) where assignee is not null;
create index tasks_holder on tasks (holder) where holder is not null;
create index tasks_business_key on tasks (business_key) where business_key is not null;
create index tasks_definition on tasks (definition_key);
create index tasks_queue on tasks (queue) where queue is not null;
create index tasks_due on tasks (due_at) where due_at is not null;

-- By whom a task may be claimed: the users and groups of its lists, one row each.
create table task_candidates (
    kind text not null,
    name text not null,
    task blob not null references tasks (task_id) on delete cascade,
    primary key (kind, name, task)
) without rowid;
create index task_candidates_task on task_candidates (task);

-- What happened to tasks, one row per version of a task. Only ever added to.
create table task_events (
    task_id      blob    not null,
    version      integer not null,
    instance_id  blob    not null,
    type         text    not null,
    user_id      text,
    detail       text    not null,
    operation_id blob    not null,
    at           integer not null,
    primary key (task_id, version)
) without rowid;
create index task_events_instance on task_events (instance_id);
