-- Leases are held by lives of nodes and by workers outside. A holder says which programs it runs.
alter table nodes
    add column kind     text   not null default 'node',
    add column programs text[] not null default '{}';
