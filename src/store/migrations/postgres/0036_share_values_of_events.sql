-- The large values of events are stored once, with those of the journal and the history: what becomes of an
-- event moves its row, not its value.
alter table pending_events add column value_digest bytea;
create index pending_events_value on pending_events (value_digest) where value_digest is not null;
alter table dead_events add column value_digest bytea;
create index dead_events_value on dead_events (value_digest) where value_digest is not null;
create view whole_pending_events as
select event_id, name, target_id,
       coalesce((select v.value from shared_values v where v.digest = e.value_digest), e.value) as value,
       value_digest, on_target_ended, keep, accepted_at, expires_at, operation_id, correlation, tenant, hold
from pending_events e;
create view whole_dead_events as
select event_id, name, target_id,
       coalesce((select v.value from shared_values v where v.digest = e.value_digest), e.value) as value,
       value_digest, on_target_ended, keep, accepted_at, expires_at, operation_id, correlation, tenant, hold, target_status, ended_at
from dead_events e;
