-- A user is a text, no longer a UUID only; the texts of UUIDs are those that the hashes of the history cover. What a
-- caller looks up has its tenant; groups and roles of the caller are kept beside the user, as JSON.
alter table definitions alter column created_by type text using created_by::text;
alter table instances
    alter column started_by type text using started_by::text,
    alter column last_modified_by type text using last_modified_by::text;
alter table checkpoints alter column created_by type text using created_by::text;
alter table history
    alter column user_id type text using user_id::text,
    add column tenant      text not null default 'default',
    add column memberships text;
alter table conflicts
    alter column user_id type text using user_id::text,
    add column tenant      text not null default 'default',
    add column memberships text;
alter table tasks add column tenant text not null default 'default';
alter table task_events
    add column tenant      text not null default 'default',
    add column memberships text;
alter table event_fates add column tenant text not null default 'default';
alter table dead_letters add column tenant text not null default 'default';
