-- What instances ask people to do. Children of their instance: they live and die with it.
create table tasks (
    task_id          uuid        primary key,
    instance_id      uuid        not null references instances (id) on delete cascade,
    definition_key   text        not null,
    business_key     text,
    name             text        not null,
    queue            text,
    assignee         text,
    candidate_users  text[]      not null,
    candidate_groups text[]      not null,
    payload          text        not null,
    expected_outputs text[]      not null,
    outputs          text,
    error            text,
    due_at           timestamptz,
    priority         integer     not null,
    state            text        not null,
    holder           text,
    version          bigint      not null,
    created_at       timestamptz not null,
    updated_at       timestamptz not null,
    ended_at         timestamptz
);
create index tasks_instance on tasks (instance_id, ended_at);
create index tasks_open on tasks (task_id) where ended_at is null;
create index tasks_assignee on tasks (assignee, task_id) where assignee is not null;
create index tasks_holder on tasks (holder, task_id) where holder is not null;
create index tasks_business_key on tasks (business_key, task_id) where business_key is not null;
create index tasks_definition on tasks (definition_key, task_id);
create index tasks_queue on tasks (queue, task_id) where queue is not null;
create index tasks_due on tasks (due_at) where due_at is not null;
create index tasks_candidate_users on tasks using gin (candidate_users);
create index tasks_candidate_groups on tasks using gin (candidate_groups);

-- What happened to tasks, one row per version of a task. Only ever added to.
create table task_events (
    task_id      uuid        not null,
    version      bigint      not null,
    instance_id  uuid        not null,
    type         text        not null,
    user_id      text,
    detail       text        not null,
    operation_id uuid        not null,
    at           timestamptz not null,
    primary key (task_id, version)
);
create index task_events_instance on task_events (instance_id);

-- Retention keeps what still asks people for something, too.
create or replace view forgettable_instances as
select i.id, i.definition_key, i.completed_at
from instances i
where i.completed_at is not null
  and not exists (select from signal_queue q
                  where q.instance_id = i.id and q.type <> 'InternalContinue')
  and not exists (select from signal_queue q
                  where q.instance_id = i.id and q.type = 'InternalContinue')
  and not exists (select from schedule_queue s where s.instance_id = i.id)
  and not exists (select from dead_letters d where d.instance_id = i.id)
  and not exists (select from completion_waits w where w.awaited_id = i.id)
  and not exists (select from pending_events e where e.target_id = i.id)
  and not exists (select from tasks t where t.instance_id = i.id and t.ended_at is null)
  and not exists (select from instances parent
                  where parent.id = i.parent_id and parent.completed_at is null)
  and not exists (select from instances child
                  where child.parent_id = i.id and child.completed_at is null);
