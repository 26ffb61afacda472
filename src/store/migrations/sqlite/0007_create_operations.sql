-- One row per committed round, so that a lost COMMIT can be looked up; fate 'never' bars a round for good.
create table rounds (
    round_id     blob    primary key,
    fate         text    not null,
    committed_at integer not null
) without rowid;

-- One row per operation that carried a client key: a repeat gets the same outcome.
create table operations (
    tenant       text    not null default 'default',
    client_key   text    not null,
    request      blob    not null,
    outcome      text    not null,
    operation_id blob    not null,
    at           integer not null,
    primary key (tenant, client_key)
) without rowid;
