-- Named versions with their own copy of the documents, as canonical JSON text.
create table checkpoints (
    instance       integer not null references instances (seq) on delete cascade,
    name           text    not null,
    version        integer not null,
    state          text    not null,
    state_metadata text    not null,
    created_by     blob,
    created_at     integer not null,
    primary key (instance, name)
) without rowid;
