-- Signals that nobody has acted on yet. Ids of continuations (type InternalContinue) derive from their
-- instance and share its first nine bytes: they are found by a range of the key, and the indexes leave
-- them out, as every workflow inserts and deletes some.
create table signal_queue (
    signal_id   blob    primary key,
    instance_id blob    not null,
    type        text    not null,
    program     text,
    enqueued_at integer not null,
    visible_at  integer not null,
    leased_by   blob,
    epoch       integer not null,
    attempts    integer not null,
    envelope    blob    not null
) without rowid;
create index signal_queue_free on signal_queue (enqueued_at) where leased_by is null;
create index signal_queue_instance on signal_queue (instance_id, enqueued_at)
    where type <> 'InternalContinue';

-- Signals that are not due yet.
create table schedule_queue (
    signal_id   blob    primary key,
    instance_id blob    not null,
    type        text    not null,
    program     text,
    enqueued_at integer not null,
    due_at      integer not null,
    envelope    blob    not null
) without rowid;
create index schedule_queue_due on schedule_queue (due_at);
create index schedule_queue_instance on schedule_queue (instance_id);

-- Signals that nobody could act on, byte for byte as they came.
create table dead_letters (
    signal_id   blob    primary key,
    instance_id blob    not null,
    type        text    not null,
    program     text,
    enqueued_at integer not null,
    epoch       integer not null,
    attempts    integer not null,
    envelope    blob    not null,
    reason      text    not null,
    detail      text    not null,
    node        text    not null,
    at          integer not null
) without rowid;
create index dead_letters_instance on dead_letters (instance_id);

-- The ids of signals that were acted on, for as long as their instance is there.
create table processed_signals (
    instance_id blob    not null,
    signal_id   blob    not null,
    at          integer not null,
    primary key (instance_id, signal_id)
) without rowid;
create index processed_signals_signal on processed_signals (signal_id);
