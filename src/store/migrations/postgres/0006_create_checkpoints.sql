-- Named versions with their own copy of the documents, as canonical JSON text.
create table checkpoints (
    instance_id    uuid        not null references instances (id) on delete cascade,
    name           text        not null,
    version        bigint      not null,
    state          text        not null,
    state_metadata text        not null,
    created_by     uuid,
    created_at     timestamptz not null,
    primary key (instance_id, name)
);
