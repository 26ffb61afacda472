-- Append-only, outlives its instance, carries no foreign key. Payloads are canonical JSON text. Rows lie in
-- the order they came, so that a commit fills pages instead of touching one per instance.
create table history (
    position       integer primary key,
    instance_id    blob    not null,
    version        integer not null,
    type           text    not null,
    payload        text    not null,
    state_metadata text,
    user_id        blob,
    operation_id   blob    not null,
    correlation    text,
    at             integer not null,
    hash           blob    not null
);
create unique index history_version on history (instance_id, version);
