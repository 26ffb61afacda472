-- The stream of changes: what a round did, and its place among the rounds that did something.
alter table rounds add column position integer;
alter table rounds add column changes blob;
create unique index rounds_position on rounds (position) where position is not null;
-- Of the mark `stream`: the last position that retention deleted.
alter table marks add column position integer;
