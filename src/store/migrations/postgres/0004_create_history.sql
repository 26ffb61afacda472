-- Append-only, outlives its instance, carries no foreign key. Payloads are canonical JSON text: the hash
-- chain covers their bytes, which jsonb would not keep.
create table history (
    instance_id    uuid        not null,
    version        bigint      not null,
    type           text        not null,
    payload        text        not null,
    state_metadata text,
    user_id        uuid,
    operation_id   uuid        not null,
    correlation    text,
    at             timestamptz not null,
    hash           bytea       not null,
    primary key (instance_id, version)
);
-- Where lives of an instance ended: what came before a clear is not its past any more.
create index history_cleared on history (instance_id, version) where type = 'Cleared';
