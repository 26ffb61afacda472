-- Large values that ended waits, stored once; the journal and the history refer to them.
create table shared_values (
    digest blob primary key,
    value  text not null,
    at     integer not null
);
create index shared_values_at on shared_values (at);
alter table steps add column value_digest blob;
create index steps_value on steps (value_digest) where value_digest is not null;
alter table history add column value_digest blob;
create index history_value on history (value_digest) where value_digest is not null;
-- The oldest signal that may refer to one.
create index signal_queue_events on signal_queue (enqueued_at) where type = 'ExternalSignal';
create index dead_letters_enqueued on dead_letters (enqueued_at);
