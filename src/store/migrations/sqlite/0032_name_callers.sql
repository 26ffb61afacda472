-- A user is a text, no longer a UUID only; the texts of UUIDs are those that the hashes of the history cover. What a
-- caller looks up has its tenant; groups and roles of the caller are kept beside the user, as JSON.
alter table definitions rename column created_by to old;
alter table definitions add column created_by text;
update definitions
set created_by = lower(hex(substr(old, 1, 4)) || '-' || hex(substr(old, 5, 2)) || '-' || hex(substr(old, 7, 2)) ||
    '-' || hex(substr(old, 9, 2)) || '-' || hex(substr(old, 11, 6)))
where old is not null;
alter table definitions drop column old;

alter table instances rename column started_by to old;
alter table instances add column started_by text;
update instances
set started_by = lower(hex(substr(old, 1, 4)) || '-' || hex(substr(old, 5, 2)) || '-' || hex(substr(old, 7, 2)) ||
    '-' || hex(substr(old, 9, 2)) || '-' || hex(substr(old, 11, 6)))
where old is not null;
alter table instances drop column old;

alter table instances rename column last_modified_by to old;
alter table instances add column last_modified_by text;
update instances
set last_modified_by = lower(hex(substr(old, 1, 4)) || '-' || hex(substr(old, 5, 2)) || '-' || hex(substr(old, 7, 2)) ||
    '-' || hex(substr(old, 9, 2)) || '-' || hex(substr(old, 11, 6)))
where old is not null;
alter table instances drop column old;

alter table checkpoints rename column created_by to old;
alter table checkpoints add column created_by text;
update checkpoints
set created_by = lower(hex(substr(old, 1, 4)) || '-' || hex(substr(old, 5, 2)) || '-' || hex(substr(old, 7, 2)) ||
    '-' || hex(substr(old, 9, 2)) || '-' || hex(substr(old, 11, 6)))
where old is not null;
alter table checkpoints drop column old;

alter table history rename column user_id to old;
alter table history add column user_id text;
update history
set user_id = lower(hex(substr(old, 1, 4)) || '-' || hex(substr(old, 5, 2)) || '-' || hex(substr(old, 7, 2)) ||
    '-' || hex(substr(old, 9, 2)) || '-' || hex(substr(old, 11, 6)))
where old is not null;
alter table history drop column old;

alter table conflicts rename column user_id to old;
alter table conflicts add column user_id text;
update conflicts
set user_id = lower(hex(substr(old, 1, 4)) || '-' || hex(substr(old, 5, 2)) || '-' || hex(substr(old, 7, 2)) ||
    '-' || hex(substr(old, 9, 2)) || '-' || hex(substr(old, 11, 6)))
where old is not null;
alter table conflicts drop column old;

alter table history add column tenant text not null default 'default';
alter table conflicts add column tenant text not null default 'default';
alter table tasks add column tenant text not null default 'default';
alter table task_events add column tenant text not null default 'default';
alter table event_fates add column tenant text not null default 'default';
alter table dead_letters add column tenant text not null default 'default';
alter table history add column memberships text;
alter table conflicts add column memberships text;
alter table task_events add column memberships text;
