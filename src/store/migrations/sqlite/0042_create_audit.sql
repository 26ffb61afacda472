-- Who did what: a chain of rows for each tenant. The head tells where it begins and ends, so that rows that somebody
-- has cut off at either end are missed.
create table audit (
    tenant     text    not null,
    number     integer not null,
    at         integer not null,
    action     text    not null,
    target     text    not null,
    status     integer not null,
    user_id    text,
    by_user    text,
    credential text,
    address    text,
    node       text    not null,
    times      integer not null,
    detail     text    not null,
    hash       blob    not null,
    primary key (tenant, number)
) without rowid;
create table audit_heads (
    tenant    text    primary key,
    newest    integer not null,
    hash      blob    not null,
    forgotten integer not null,
    anchor    blob    not null
) without rowid;
