-- Who may use the API. A key itself is nowhere: `secret` is its SHA-256. `change` numbers the changes of all keys, so
-- that a node reads only what is new.
create table api_keys (
    key_id       text        primary key,
    tenant       text        not null,
    name         text        not null,
    user_id      text        not null,
    user_groups  text[]      not null,
    roles        text[]      not null,
    definitions  text[]      not null,
    secret       bytea       not null,
    created_at   timestamptz not null,
    created_by   text,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    last_used_at timestamptz,
    replaces     text,
    change       bigint      not null
);
create unique index api_keys_change on api_keys (change);
