-- How instances of a definition move, and how long they are kept, in microseconds.
alter table definitions add column kind text not null default 'outside';
alter table definitions add column keep_for integer;
alter table definitions add column stale_after integer;

-- What the engine keeps of an instance that a program runs; null: no program does.
alter table instances add column program_json text;
