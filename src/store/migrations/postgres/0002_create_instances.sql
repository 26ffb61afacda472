-- The hot row: narrow, rewritten on every step. fillfactor 50 leaves room for HOT updates, and no index
-- covers a column that a step changes.
create table instances (
    id                   uuid        primary key,
    tenant               text        not null default 'default',
    definition_key       text        not null,
    definition_version   integer     not null,
    business_key         text        check (octet_length(business_key) <= 256),
    business_parts       jsonb,
    status               text        not null,
    paused               boolean     not null default false,
    incident             boolean     not null default false,
    quarantined          boolean     not null default false,
    version              bigint      not null,
    rev                  bigint      not null,
    history_hash         bytea       not null,
    started_by           uuid,
    parent_id            uuid,
    created_at           timestamptz not null,
    execution_started_at timestamptz,
    completed_at         timestamptz,
    updated_at           timestamptz not null,
    last_modified_by     uuid,
    last_modified_at     timestamptz not null,
    checkpoint_name      text,
    checkpoint_version   bigint,
    checkpoint_at        timestamptz,
    state_checksum       bytea,      -- null: the document is {}
    metadata_checksum    bytea
) with (fillfactor = 50);

create index instances_business_key on instances (business_key, id) where business_key is not null;
create index instances_business_parts on instances using gin (business_parts jsonb_path_ops);
create index instances_definition on instances (definition_key, id);
create index instances_open on instances (id) where completed_at is null;

-- State and metadata apart from the hot row; an instance whose two documents are {} has no row here.
create table documents (
    instance_id    uuid    primary key,
    open           boolean not null,
    state          jsonb   not null,
    state_metadata jsonb   not null
) with (fillfactor = 70);

create index documents_state on documents using gin (state jsonb_path_ops) with (fastupdate = off);
create index documents_state_metadata on documents using gin (state_metadata jsonb_path_ops)
    with (fastupdate = off);
create index documents_current_step on documents (left(state #>> '{currentStep}', 200), instance_id)
    where open and state #>> '{currentStep}' is not null;
create index documents_current_agent
    on documents (left(state #>> '{agentContext,currentAgent}', 200), instance_id)
    where state #>> '{agentContext,currentAgent}' is not null;
