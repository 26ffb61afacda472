-- The normalised children of an instance; they live and die with it.
create table activities (
    activity_instance_id uuid    primary key,
    instance_id          uuid    not null references instances (id) on delete cascade,
    activity_id          text    not null,
    is_completed         boolean not null,
    position             bigint  not null
);
create index activities_instance on activities (instance_id);

create table variables (
    scope_id    uuid   primary key,
    instance_id uuid   not null references instances (id) on delete cascade,
    variables   text   not null,
    position    bigint not null
);
create index variables_instance on variables (instance_id);

create table conditions (
    condition_state_id           uuid    primary key,
    instance_id                  uuid    not null references instances (id) on delete cascade,
    gateway_activity_instance_id uuid    not null,
    sequence_flow_id             text    not null,
    result                       boolean not null,
    is_evaluated                 boolean not null,
    position                     bigint  not null
);
create index conditions_instance on conditions (instance_id);

create table forks (
    fork_id                      uuid   primary key,
    instance_id                  uuid   not null references instances (id) on delete cascade,
    gateway_activity_instance_id uuid   not null,
    tokens                       uuid[] not null,
    position                     bigint not null
);
create index forks_instance on forks (instance_id);
