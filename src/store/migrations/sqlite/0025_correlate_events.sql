-- Events and waits meet by tenant, name and correlation key.
alter table pending_events add column correlation text not null default '';
alter table pending_events add column tenant text not null default 'default';
alter table dead_events add column correlation text not null default '';
alter table dead_events add column tenant text not null default 'default';
drop index pending_events_target;
create index pending_events_target
    on pending_events (target_id, name, correlation, accepted_at, operation_id, expires_at)
    where target_id is not null;
drop index pending_events_broadcast;
create index pending_events_broadcast
    on pending_events (tenant, name, correlation, accepted_at, operation_id, expires_at)
    where target_id is null;

create table new_waits (
    tenant       text    not null,
    name         text    not null,
    correlation  text    not null,
    began_at     integer not null,
    operation_id blob    not null,
    token        blob    not null,
    instance     integer not null,
    primary key (tenant, name, correlation, began_at, operation_id, token)
) without rowid;
insert into new_waits
select i.tenant, w.name, '', w.began_at, w.operation_id, w.token, w.instance
from waits w join instances i on i.seq = w.instance;
drop table waits;
alter table new_waits rename to waits;
