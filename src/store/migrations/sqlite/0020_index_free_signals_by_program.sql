-- What a node has no program for, or no room for, is not looked at when it claims.
drop index signal_queue_free;
create index signal_queue_free on signal_queue (program, visible_at) where leased_by is null;
