-- Where the trimmed history of an open instance begins: the last deleted row, with the documents as of it.
create table history_anchors (
    instance_id    blob    primary key,
    version        integer not null,
    hash           blob    not null,
    state          text,
    state_metadata text,
    at             integer not null
) without rowid;
-- What cleared instances left is deleted by age.
create index history_cleared_at on history (at) where type = 'Cleared';
-- Waits of these are not registered: who they wait for is looked up here.
create index instances_held on instances (seq) where paused = 1 or quarantined = 1;
-- Expired events are found without reading those that do not expire.
create index pending_events_expiry on pending_events (expires_at) where expires_at is not null;
