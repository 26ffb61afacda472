-- A surrogate integer keys everything that belongs to an instance: random keys would dirty a page each.
create table instances (
    seq                  integer primary key,
    id                   blob    not null unique,
    tenant               text    not null default 'default',
    definition_key       text    not null,
    definition_version   integer not null,
    business_key         text    check (length(cast(business_key as blob)) <= 256),
    business_parts       text,
    status               text    not null,
    paused               integer not null default 0,
    incident             integer not null default 0,
    quarantined          integer not null default 0,
    version              integer not null,
    rev                  integer not null,
    history_hash         blob    not null,
    started_by           blob,
    parent_id            blob,
    created_at           integer not null,
    execution_started_at integer,
    completed_at         integer,
    updated_at           integer not null,
    last_modified_by     blob,
    last_modified_at     integer not null,
    checkpoint_name      text,
    checkpoint_version   integer,
    checkpoint_at        integer,
    state_checksum       blob,
    metadata_checksum    blob
);

create index instances_business_key on instances (business_key) where business_key is not null;
create index instances_definition on instances (definition_key);
create index instances_open on instances (seq) where completed_at is null;

-- State and metadata apart from the hot row; an instance whose two documents are {} has no row here.
create table documents (
    instance       integer primary key references instances (seq) on delete cascade,
    state          text    not null,
    state_metadata text    not null
);

-- The text of every scalar at a declared path: the index that path and containment queries use. A writer
-- knows the values before and after, so no second index is needed to find the old ones.
create table state_paths (
    path_id  integer not null,
    value    text    not null,
    instance integer not null,
    primary key (path_id, value, instance)
) without rowid;

create table business_parts (
    name     text    not null,
    value    text    not null,
    instance integer not null,
    primary key (name, value, instance)
) without rowid;
