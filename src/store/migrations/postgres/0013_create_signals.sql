-- What brings work to instances. A row is leased, freed and deleted; fillfactor leaves room for the updates, and
-- there is no foreign key: a signal may outlive its instance and is then buried.
create table signal_queue (
    signal_id   uuid        primary key,
    instance_id uuid        not null,
    type        text        not null,
    program     text,                       -- null: any node can act on it
    enqueued_at timestamptz not null,
    visible_at  timestamptz not null,
    leased_by   uuid,                       -- null: free
    epoch       bigint      not null,
    attempts    integer     not null,
    envelope    bytea       not null default ''
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

create index signal_queue_free on signal_queue (program, visible_at) where leased_by is null;
create index signal_queue_leased on signal_queue (leased_by, visible_at)
    where leased_by is not null;
-- A running instance that has a program has one continuation (I47).
create unique index signal_queue_continuation on signal_queue (instance_id)
    where type = 'InternalContinue';
create index signal_queue_instance on signal_queue (instance_id, enqueued_at, signal_id)
    where type <> 'InternalContinue';

-- What may be claimed as soon as it is visible and free: of one instance only the oldest signal.
-- Continuations neither wait for others nor keep them waiting.
create view first_signals as
select q.signal_id, q.instance_id, q.type, q.program, q.enqueued_at, q.visible_at, q.leased_by,
       q.epoch, q.attempts, q.envelope
from signal_queue q
where q.type = 'InternalContinue'
   or not exists (select from signal_queue older
                  where older.instance_id = q.instance_id and older.type <> 'InternalContinue'
                    and (older.enqueued_at, older.signal_id) < (q.enqueued_at, q.signal_id));

-- Signals that are not due yet.
create table schedule_queue (
    signal_id   uuid        primary key,
    instance_id uuid        not null,
    type        text        not null,
    program     text,
    enqueued_at timestamptz not null,
    due_at      timestamptz not null,
    envelope    bytea       not null default ''
);
create index schedule_queue_due on schedule_queue (due_at);
create index schedule_queue_instance on schedule_queue (instance_id);

-- Signals that nobody could act on, byte for byte.
create table dead_letters (
    signal_id   uuid        primary key,
    instance_id uuid        not null,
    type        text        not null,
    program     text,
    enqueued_at timestamptz not null,
    epoch       bigint      not null,
    attempts    integer     not null,
    envelope    bytea       not null default '',
    reason      text        not null,
    detail      text        not null,
    node        text        not null,
    at          timestamptz not null
);
create index dead_letters_instance on dead_letters (instance_id);

-- The ids of signals that were acted on, for as long as their instance is kept (I18).
create table processed_signals (
    instance_id uuid        not null,
    signal_id   uuid        not null,
    at          timestamptz not null,
    primary key (instance_id, signal_id)
);
create index processed_signals_signal on processed_signals (signal_id);
