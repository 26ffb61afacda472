-- Definitions are immutable once written: a change is a new version.
create table definitions (
    tenant      text        not null default 'default',
    key         text        not null,
    version     integer     not null,
    schema      text,
    indexes     text[]      not null default '{}',
    checksum    bytea       not null,
    created_by  uuid,
    created_at  timestamptz not null,
    primary key (tenant, key, version)
);

-- Index paths that any definition declared; ready once the index behind it is built.
create table index_paths (
    path  text    primary key,
    ready boolean not null default false
);
