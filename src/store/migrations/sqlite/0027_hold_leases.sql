-- Leases are held by the process and by workers outside, whose leases run out. A holder says which
-- programs it runs, as a JSON list.
alter table nodes add column kind text not null default 'node';
alter table nodes add column programs text not null default '[]';
