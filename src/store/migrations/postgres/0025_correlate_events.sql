-- Events and waits meet by tenant, name and correlation key.
alter table pending_events
    add column correlation text not null default '',
    add column tenant      text not null default 'default';
alter table dead_events
    add column correlation text not null default '',
    add column tenant      text not null default 'default';
drop index pending_events_target;
create index pending_events_target
    on pending_events (target_id, name, correlation, accepted_at, operation_id, expires_at)
    where target_id is not null;
drop index pending_events_broadcast;
create index pending_events_broadcast
    on pending_events (tenant, name, correlation, accepted_at, operation_id, expires_at)
    where target_id is null;

alter table waits
    add column tenant      text not null default 'default',
    add column correlation text not null default '',
    drop constraint waits_pkey,
    add primary key (tenant, name, correlation, began_at, operation_id, token);

-- Nobody needs the rows of a channel that nobody uses.
delete from channels c
where not exists (select from waits w where w.name = c.name)
  and not exists (select from pending_events p where p.name = c.name and p.target_id is null);
alter table channels
    add column tenant      text not null default 'default',
    add column correlation text not null default '',
    drop constraint channels_pkey,
    add primary key (tenant, name, correlation);
