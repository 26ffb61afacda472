-- Why an instance was cancelled, as whoever cancelled it said.
alter table instances add column cancel_reason text;
