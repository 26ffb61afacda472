-- The normalised children of an instance; they live and die with it.
create table activities (
    activity_instance_id blob    primary key,
    instance             integer not null references instances (seq) on delete cascade,
    activity_id          text    not null,
    is_completed         integer not null,
    position             integer not null
) without rowid;
create index activities_instance on activities (instance);

create table variables (
    scope_id  blob    primary key,
    instance  integer not null references instances (seq) on delete cascade,
    variables text    not null,
    position  integer not null
) without rowid;
create index variables_instance on variables (instance);

create table conditions (
    condition_state_id           blob    primary key,
    instance                     integer not null references instances (seq) on delete cascade,
    gateway_activity_instance_id blob    not null,
    sequence_flow_id             text    not null,
    result                       integer not null,
    is_evaluated                 integer not null,
    position                     integer not null
) without rowid;
create index conditions_instance on conditions (instance);

create table forks (
    fork_id                      blob    primary key,
    instance                     integer not null references instances (seq) on delete cascade,
    gateway_activity_instance_id blob    not null,
    tokens                       blob    not null,
    position                     integer not null
) without rowid;
create index forks_instance on forks (instance);
