-- Signals: queue, schedule, dead letters and processed signals. The id of a continuation shares the
-- first nine bytes with the id of its instance and is found by them.

-- name: load_signal (sqlite only)
select {q.signal_queue},
       exists (select 1 from nodes n where n.node_id = q.leased_by and n.lease_until > ?2)
from signal_queue q where q.signal_id = ?1

-- ?2 and ?3: where the ids of its continuations lie.
-- name: load_continuation (sqlite only)
select {q.signal_queue},
       exists (select 1 from nodes n where n.node_id = q.leased_by and n.lease_until > ?4)
from signal_queue q
where q.signal_id >= ?2 and q.signal_id < ?3 and q.instance_id = ?1 and q.type = 'InternalContinue'

-- name: has_continuation (sqlite only)
select 1 from signal_queue
where signal_id >= ?2 and signal_id < ?3 and instance_id = ?1 and type = 'InternalContinue'

-- name: load_scheduled (sqlite only)
select {schedule_queue}
from schedule_queue where signal_id = ?1

-- name: load_dead_letter (sqlite only)
select {dead_letters}
from dead_letters where signal_id = ?1

-- name: load_processed (sqlite only)
select instance_id from processed_signals where signal_id = ?1 limit 1

-- name: delete_continuation (sqlite only)
delete from signal_queue
where signal_id >= ?2 and signal_id < ?3 and instance_id = ?1 and type = 'InternalContinue'

-- name: progress_continuation (sqlite only)
update signal_queue set attempts = 1
where signal_id >= ?2 and signal_id < ?3 and instance_id = ?1 and type = 'InternalContinue'

-- name: insert_signal (sqlite only)
insert into signal_queue ({signal_queue}) values ({?1 signal_queue})

-- name: insert_fan_out (sqlite only)
insert or ignore into signal_queue (signal_id, instance_id, type, enqueued_at, visible_at, epoch, attempts,
    envelope)
values (?1, ?2, ?3, ?4, ?4, 0, 0, ?5)

-- name: set_last_signals
update instances set last_signal_id = ?2 where id = ?1

-- name: delete_signal (sqlite only)
delete from signal_queue where signal_id = ?1

-- name: insert_scheduled (sqlite only)
insert into schedule_queue ({schedule_queue}) values ({?1 schedule_queue})

-- name: insert_dead_letter (sqlite only)
insert into dead_letters ({dead_letters}) values ({?1 dead_letters})

-- name: delete_dead_letter (sqlite only)
delete from dead_letters where signal_id = ?1

-- name: insert_processed (sqlite only)
insert or ignore into processed_signals (instance_id, signal_id, at) values (?1, ?2, ?3)

-- name: load_waiters (sqlite only)
select i.id, w.token from waits w join instances i on i.seq = w.instance where w.tenant = ?1 and w.name = ?2 and w.correlation = ?3

-- name: load_end_waiters (sqlite only)
select i.id, w.token from completion_waits w join instances i on i.seq = w.instance where w.awaited_id = ?1

-- name: load_open_children (sqlite only)
select id, id from instances where parent_id = ?1 and completed_at is null

-- name: delete_signals_of (sqlite only)
delete from signal_queue where instance_id = ?1 and type <> 'InternalContinue'

-- name: delete_scheduled_of (sqlite only)
delete from schedule_queue where instance_id = ?1

-- name: delete_processed_of (sqlite only)
delete from processed_signals where instance_id = ?1

-- name: read_dead_letters (sqlite only)
select {dead_letters}
from dead_letters
where signal_id > ?1 and (?2 is null or reason = ?2) and (?3 is null or instance_id = ?3)
  and (?5 is null or tenant = ?5)
order by signal_id limit ?4

-- name: read_jobs (sqlite only)
select {q.signal_queue}
from signal_queue q join instances i on i.id = q.instance_id
where q.type = 'Job' and q.signal_id > ?1 and (?2 is null or q.program = ?2)
  and (?3 is null or i.definition_key = ?3) and (?4 is null or q.instance_id = ?4)
  and (?6 is null or i.tenant = ?6)
order by q.signal_id limit ?5

-- name: read_incidents (sqlite only)
select {i.incidents}
from instances i
where i.incident = 1 and i.status in ('running', 'suspended') and i.id > ?1
  and (?2 is null or i.last_error_code = ?2) and (?3 is null or i.definition_key = ?3)
  and (?4 is null or i.id = ?4) and (?6 is null or i.tenant = ?6)
order by i.id limit ?5

-- name: has_due (sqlite only)
select 1 from schedule_queue where due_at <= ?1 limit 1

-- name: enqueue_due (sqlite only)
insert into signal_queue ({signal_head}, visible_at, epoch, attempts, envelope)
select {signal_head}, due_at, 0, 0, envelope
from schedule_queue where due_at <= ?1 order by due_at, signal_id limit ?2

-- The same rows as enqueue_due.
-- name: delete_due (sqlite only)
delete from schedule_queue
where signal_id in (select signal_id from schedule_queue
                    where due_at <= ?1 order by due_at, signal_id limit ?2)

-- For one program, or for none. Only the oldest signal of an instance is claimable; continuations
-- and jobs do not take part in this order.
-- name: read_claimable (sqlite only)
select {q.signal_queue}
from signal_queue q indexed by signal_queue_free
where q.leased_by is null and q.program is ?1 and q.visible_at <= ?2
  and (q.type in ('InternalContinue', 'Job') or not exists (
        select 1 from signal_queue o
        where o.instance_id = q.instance_id and o.type <> 'InternalContinue' and o.type <> 'Job'
          and (o.enqueued_at, o.signal_id) < (q.enqueued_at, q.signal_id)))
order by q.visible_at limit ?3

-- name: read_next_claimable (sqlite only)
select q.visible_at from signal_queue q indexed by signal_queue_free
where q.leased_by is null and q.program is ?1
  and (q.type in ('InternalContinue', 'Job') or not exists (
        select 1 from signal_queue o
        where o.instance_id = q.instance_id and o.type <> 'InternalContinue' and o.type <> 'Job'
          and (o.enqueued_at, o.signal_id) < (q.enqueued_at, q.signal_id)))
order by q.visible_at limit 1

-- name: read_next_due (sqlite only)
select due_at from schedule_queue order by due_at limit 1

-- name: lease_signal (sqlite only)
update signal_queue set leased_by = ?2, epoch = epoch + 1, attempts = attempts + 1 where signal_id = ?1

-- name: give_back_signal (sqlite only)
update signal_queue set leased_by = null, visible_at = ?4, attempts = attempts - ?5
where signal_id = ?1 and leased_by = ?2 and epoch = ?3
