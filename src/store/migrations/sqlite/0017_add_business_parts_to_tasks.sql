-- Tasks are found by every part of the business reference of their workflow, as it was when it asked.
alter table tasks add column business_parts text;
update tasks set business_parts = (select i.business_parts from instances i where i.seq = tasks.instance);

create table task_parts (
    name  text not null,
    value text not null,
    task  blob not null references tasks (task_id) on delete cascade,
    primary key (name, value, task)
) without rowid;
create index task_parts_task on task_parts (task);
insert into task_parts (name, value, task)
select part.key, part.value, t.task_id from tasks t, json_each(t.business_parts) part
where t.business_parts is not null;
