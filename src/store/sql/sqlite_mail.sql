-- Events, waits, timers and the journal.

-- A kept event stays queued after its delivery to the target.
-- name: load_inboxes
select {events} from whole_pending_events
where target_id = ?1 and name = ?2 and correlation = ?3 and (expires_at is null or expires_at > ?4)
  and (hold is null or (hold = 'untilDue' and accepted_at <= ?4))
  and not (keep and exists (select 1 from event_fates f
                            where f.event_id = whole_pending_events.event_id and f.instance_id = ?1))
order by accepted_at, operation_id limit ?5

-- The last column: how many expire one day.
-- name: count_inboxes
select count(*), coalesce(sum(size), 0), count(expires_at) from pending_events
where target_id = ?1 and (expires_at is null or expires_at > ?2)

-- Reads the index alone: what is queued may be large.
-- name: load_ending_inboxes
select distinct name, correlation, on_target_ended = 'broadcast' from pending_events where target_id = ?1

-- name: load_releases
select {events} from whole_pending_events
where target_id = ?1 and name = ?2 and correlation = ?3 and on_target_ended = 'broadcast'
  and (expires_at is null or expires_at > ?4)
  and (hold is null or (hold = 'untilDue' and accepted_at <= ?4))
order by accepted_at, operation_id limit ?5

-- name: load_broadcasts
select {events} from whole_pending_events
where target_id is null and tenant = ?1 and name = ?2 and correlation = ?3 and (expires_at is null or expires_at > ?4)
  and (hold is null or (hold = 'untilDue' and accepted_at <= ?4))
order by accepted_at, operation_id limit ?5

-- name: count_broadcasts
select count(*), coalesce(sum(size), 0), count(expires_at) from pending_events
where target_id is null and tenant = ?1 and name = ?2 and correlation = ?3 and (expires_at is null or expires_at > ?4)

-- name: load_waits
select i.id, w.token, w.began_at, w.operation_id from waits w join instances i on i.seq = w.instance
where w.tenant = ?1 and w.name = ?2 and w.correlation = ?3 order by w.began_at, w.operation_id, w.token limit ?4

-- name: load_completion_waits
select i.id, w.token, w.began_at, w.operation_id
from completion_waits w join instances i on i.seq = w.instance
where w.awaited_id = ?1 order by w.began_at, w.operation_id, w.token limit ?2

-- name: load_children_of
select id from instances where parent_id = ?1 and completed_at is null order by parent_id, id limit ?2

-- Of the newest under the key, those of the definition.
-- name: load_under_key
select id from (select id, seq, tenant, definition_key from instances indexed by instances_business_key
                where business_key = ?3 order by seq desc limit 256)
where tenant = ?1 and definition_key = ?2 order by seq desc limit ?4

-- name: load_pending_event (sqlite only)
select {events} from whole_pending_events where event_id = ?1

-- name: load_queue_of (sqlite only)
select target_id, tenant, name, correlation, size from pending_events where event_id = ?1 and expires_at is null

-- name: load_dead_event (sqlite only)
select {dead_events} from whole_dead_events where event_id = ?1

-- name: load_fates
select {event_fates} from event_fates where event_id = ?1

-- name: load_receipts
select 1 from event_fates where event_id = ?1 and instance_id = ?2

-- name: load_step (sqlite only)
select {s.steps}, v.value
from steps s join instances i on i.seq = s.instance left join shared_values v on v.digest = s.value_digest
where i.id = ?1 and s.activity_index = ?2

-- name: load_winner (sqlite only)
select {w.winning_conditions} from winning_conditions w join instances i on i.seq = w.instance
where i.id = ?1 and w.activity_index = ?2

-- The events queued for an instance that ended, by their policy (001.9): the large values stay where they are.
-- name: end_inboxes (sqlite only)
insert or ignore into event_fates (event_id, instance_id, name, fate, activity_index, at, tenant)
select event_id, zeroblob(16), name, iif(expires_at <= ?2, 'expired', 'discarded'), 0, ?2, tenant from pending_events
where target_id = ?1 and (expires_at <= ?2 or on_target_ended = 'discard')

-- name: bury_inboxes (sqlite only)
insert into dead_events (event_id, name, target_id, value, value_digest, on_target_ended, keep, accepted_at, expires_at, operation_id, correlation, tenant, target_status, ended_at)
select event_id, name, target_id, value, value_digest, on_target_ended, keep, accepted_at, expires_at, operation_id, correlation, tenant, ?3, ?2 from pending_events
where target_id = ?1 and on_target_ended = 'deadLetter' and (expires_at is null or expires_at > ?2)

-- name: release_inboxes (sqlite only)
update pending_events set target_id = null
where target_id = ?1 and on_target_ended = 'broadcast' and (expires_at is null or expires_at > ?2)

-- name: discard_inboxes
insert or ignore into event_fates (event_id, instance_id, name, fate, activity_index, at, tenant)
select event_id, zeroblob(16), name, 'discarded', 0, ?2, tenant from pending_events where target_id = ?1

-- name: delete_inboxes (sqlite only)
delete from pending_events where target_id = ?1

-- name: insert_pending_events
insert into pending_events (size, {events}) values (?1, {?2 events})

-- name: release_pending_events
update pending_events set target_id = null where event_id = ?1

-- name: delete_pending_events
delete from pending_events where event_id = ?1

-- name: insert_fates
insert into event_fates ({event_fates}) values ({?1 event_fates})

-- name: insert_dead_events
insert into dead_events ({dead_events})
values ({?1 dead_events})

-- name: delete_dead_events
delete from dead_events where event_id = ?1

-- name: insert_steps
insert into steps (instance, activity_index, value_digest, {steps}) values (?1, ?2, ?3, {?4 steps})

-- Young values are not deleted: who refers to one may commit in a moment.
-- name: put_values
insert into shared_values (digest, value, at) values (?1, ?2, ?3)
on conflict (digest) do update set at = excluded.at where shared_values.at < excluded.at - 1800000000

-- name: load_values
select value from shared_values where digest = ?1

-- name: insert_winners
insert into winning_conditions (instance, activity_index, {winning_conditions}) values (?1, ?2, {?3 winning_conditions})

-- name: delete_steps
delete from steps where instance = ?1

-- name: delete_winners
delete from winning_conditions where instance = ?1

-- name: insert_waits
insert or ignore into waits (tenant, name, correlation, began_at, operation_id, token, instance) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)

-- name: delete_waits
delete from waits where tenant = ?1 and name = ?2 and correlation = ?3 and began_at = ?4 and operation_id = ?5 and token = ?6

-- name: insert_completion_waits
insert or ignore into completion_waits (awaited_id, began_at, operation_id, token, instance) values (?1, ?2, ?3, ?4, ?5)

-- name: delete_completion_waits
delete from completion_waits where awaited_id = ?1 and began_at = ?2 and operation_id = ?3 and token = ?4

-- name: put_timers
insert into timers (instance, token, due_at) values (?1, ?2, ?3)
on conflict (instance, token) do update set due_at = excluded.due_at

-- name: delete_timers
delete from timers where instance = ?1 and token = ?2

-- name: insert_parallel_waits
insert into parallel_waits (instance, token, wait) values (?1, ?2, ?3)

-- name: delete_parallel_waits
delete from parallel_waits where instance = ?1 and token = ?2

-- name: delete_parallel_waits_of (sqlite only)
delete from parallel_waits where instance = ?1

-- name: read_pending_events
select {events} from whole_pending_events
where event_id > ?1 and (?2 is null or name = ?2) and (?3 is null or target_id = ?3)
  and (?5 is null or tenant = ?5)
order by event_id limit ?4

-- name: read_dead_events
select {dead_events} from whole_dead_events
where event_id > ?1 and (?2 is null or name = ?2) and (?3 is null or target_id = ?3)
  and (?5 is null or tenant = ?5)
order by event_id limit ?4

-- name: read_due_timers
select i.id, t.token, t.due_at from timers t join instances i on i.seq = t.instance order by t.due_at limit ?1
