-- Definitions are immutable once written: a change is a new version. Times are microseconds since 1970, UTC.
create table definitions (
    tenant      text    not null default 'default',
    key         text    not null,
    version     integer not null,
    schema      text,
    indexes     text    not null default '[]',
    checksum    blob    not null,
    created_by  blob,
    created_at  integer not null,
    primary key (tenant, key, version)
) without rowid;

-- Index paths that any definition declared. `backfilled` is the last instance whose state was indexed.
create table index_paths (
    path_id    integer primary key,
    path       text    not null unique,
    ready      integer not null default 0,
    backfilled integer not null default 0
);
