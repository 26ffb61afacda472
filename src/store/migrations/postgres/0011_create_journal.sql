-- What an instance has been through, by activity index.
create table steps (
    instance_id    uuid        not null,
    activity_index bigint      not null,
    name           text        not null,
    input_hash     bytea,
    result         text        not null,
    value          text        not null,
    at             timestamptz not null,
    primary key (instance_id, activity_index)
);

create table winning_conditions (
    instance_id    uuid   not null,
    activity_index bigint not null,
    type           text   not null,
    name           text   not null,
    primary key (instance_id, activity_index)
);
