-- Why a queued event is not delivered yet: null, untilDue or forAll. Its accepted_at is when it is due.
alter table pending_events add column hold text;
alter table dead_events add column hold text;
