-- What an instance has been through, by activity index.
create table steps (
    instance       integer        not null,
    activity_index integer      not null,
    name           text        not null,
    input_hash     blob,
    result         text        not null,
    value          text        not null,
    at             integer not null,
    primary key (instance, activity_index)
) without rowid;

create table winning_conditions (
    instance       integer   not null,
    activity_index integer not null,
    type           text   not null,
    name           text   not null,
    primary key (instance, activity_index)
) without rowid;
