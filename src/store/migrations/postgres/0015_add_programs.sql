-- How instances of a definition move, and how long they are kept, in microseconds.
alter table definitions
    add column kind        text   not null default 'outside',
    add column keep_for    bigint,  -- null: as the server says
    add column stale_after bigint;

-- What the engine keeps of an instance that a program runs; null: driven from outside.
alter table instances add column program_json text;
