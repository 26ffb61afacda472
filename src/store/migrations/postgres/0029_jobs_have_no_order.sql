-- Jobs, like continuations, neither wait for other signals of their instance nor keep them waiting.
create or replace view first_signals as
select q.signal_id, q.instance_id, q.type, q.program, q.enqueued_at, q.visible_at, q.leased_by,
       q.epoch, q.attempts, q.envelope
from signal_queue q
where q.type in ('InternalContinue', 'Job')
   or not exists (select from signal_queue older
                  where older.instance_id = q.instance_id and older.type <> 'InternalContinue'
                    and older.type <> 'Job'
                    and (older.enqueued_at, older.signal_id) < (q.enqueued_at, q.signal_id));
