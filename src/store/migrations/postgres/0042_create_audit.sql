-- Who did what: a chain of rows for each tenant. The head tells where it begins and ends, so that rows that somebody
-- has cut off at either end are missed.
create table audit (
    tenant     text        not null,
    number     bigint      not null,
    at         timestamptz not null,
    action     text        not null,
    target     text        not null,
    status     integer     not null,
    user_id    text,
    by_user    text,
    credential text,
    address    text,
    node       text        not null,
    times      integer     not null,
    detail     text        not null,
    hash       bytea       not null,
    primary key (tenant, number)
);
create table audit_heads (
    tenant    text   primary key,
    newest    bigint not null,
    hash      bytea  not null,
    forgotten bigint not null,
    anchor    bytea  not null
);
