-- Events, waits, timers and the journal.

-- A kept event stays queued after its delivery to the target.
-- name: load_inboxes
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at, operation_id from pending_events
where target_id = ?1 and name = ?2 and (expires_at is null or expires_at > ?3)
  and not (keep and exists (select 1 from event_fates f
                            where f.event_id = pending_events.event_id and f.instance_id = ?1))
order by accepted_at, operation_id limit ?4

-- name: count_inboxes
select count(*) from pending_events where target_id = ?1 and (expires_at is null or expires_at > ?2)

-- name: load_whole_inboxes
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at, operation_id from pending_events where target_id = ?1 order by accepted_at, operation_id

-- name: load_broadcasts
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at, operation_id from pending_events
where target_id is null and name = ?1 and (expires_at is null or expires_at > ?2)
order by accepted_at, operation_id limit ?3

-- name: count_broadcasts
select count(*) from pending_events
where target_id is null and name = ?1 and (expires_at is null or expires_at > ?2)

-- name: load_waits
select i.id, w.token, w.began_at, w.operation_id from waits w join instances i on i.seq = w.instance
where w.name = ?1 order by w.began_at, w.operation_id limit ?2

-- name: load_completion_waits
select i.id, w.token, w.began_at, w.operation_id
from completion_waits w join instances i on i.seq = w.instance
where w.awaited_id = ?1 order by w.began_at, w.operation_id

-- name: load_children_of
select id from instances where parent_id = ?1

-- name: load_pending_event (sqlite only)
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at, operation_id from pending_events where event_id = ?1

-- name: load_dead_event (sqlite only)
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at, operation_id, target_status, ended_at from dead_events where event_id = ?1

-- name: load_fates
select instance_id, name, fate, activity_index, at from event_fates where event_id = ?1

-- name: load_step (sqlite only)
select s.name, s.input_hash, s.result, s.value, s.at from steps s join instances i on i.seq = s.instance
where i.id = ?1 and s.activity_index = ?2

-- name: load_winner (sqlite only)
select w.type, w.name from winning_conditions w join instances i on i.seq = w.instance
where i.id = ?1 and w.activity_index = ?2

-- name: discard_inboxes
insert or ignore into event_fates (event_id, instance_id, name, fate, activity_index, at)
select event_id, zeroblob(16), name, 'discarded', 0, ?2 from pending_events where target_id = ?1

-- name: delete_inboxes (sqlite only)
delete from pending_events where target_id = ?1

-- name: insert_pending_events
insert into pending_events (event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at, operation_id) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)

-- name: release_pending_events
update pending_events set target_id = null where event_id = ?1

-- name: delete_pending_events
delete from pending_events where event_id = ?1

-- name: insert_fates
insert into event_fates (event_id, instance_id, name, fate, activity_index, at) values (?1, ?2, ?3, ?4, ?5, ?6)

-- name: insert_dead_events
insert into dead_events (event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at, operation_id, target_status, ended_at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)

-- name: delete_dead_events
delete from dead_events where event_id = ?1

-- name: insert_steps
insert into steps (instance, activity_index, name, input_hash, result, value, at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7)

-- name: insert_winners
insert into winning_conditions (instance, activity_index, type, name) values (?1, ?2, ?3, ?4)

-- name: delete_steps
delete from steps where instance = ?1

-- name: delete_winners
delete from winning_conditions where instance = ?1

-- name: insert_waits
insert or ignore into waits (name, began_at, operation_id, instance, token) values (?1, ?2, ?3, ?4, ?5)

-- name: delete_waits
delete from waits where name = ?1 and began_at = ?2 and operation_id = ?3 and instance = ?4

-- name: insert_completion_waits
insert or ignore into completion_waits (awaited_id, began_at, operation_id, instance, token) values (?1, ?2, ?3, ?4, ?5)

-- name: delete_completion_waits
delete from completion_waits where awaited_id = ?1 and began_at = ?2 and operation_id = ?3 and instance = ?4

-- name: put_timers
insert into timers (instance, token, due_at) values (?1, ?2, ?3)
on conflict (instance) do update set token = excluded.token, due_at = excluded.due_at

-- name: delete_timers
delete from timers where instance = ?1

-- name: read_pending_events
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at, operation_id from pending_events
where event_id > ?1 and (?2 is null or name = ?2) and (?3 is null or target_id = ?3) order by event_id limit ?4

-- name: read_dead_events
select event_id, name, target_id, value, on_target_ended, keep, accepted_at, expires_at, operation_id, target_status, ended_at from dead_events
where event_id > ?1 and (?2 is null or name = ?2) and (?3 is null or target_id = ?3) order by event_id limit ?4

-- name: read_due_timers
select i.id, t.token, t.due_at from timers t join instances i on i.seq = t.instance order by t.due_at limit ?1
