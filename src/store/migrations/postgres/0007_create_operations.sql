-- One row per committed round, so that a lost COMMIT can be looked up; fate 'never' bars a round for good.
create table rounds (
    round_id     uuid        primary key,
    fate         text        not null,
    committed_at timestamptz not null
);

-- One row per operation that carried a client key: a repeat gets the same outcome.
create table operations (
    tenant       text        not null default 'default',
    client_key   text        not null,
    request      bytea       not null,
    outcome      text        not null,
    operation_id uuid        not null,
    at           timestamptz not null,
    primary key (tenant, client_key)
);
