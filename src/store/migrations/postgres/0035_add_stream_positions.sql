-- The stream of changes: what a round did, and its place among the rounds that did something.
alter table rounds add column position bigint, add column changes bytea;
-- In the row and as it is: it is written once, read in order, and hardly compresses.
alter table rounds alter column changes set storage external;
alter table rounds set (toast_tuple_target = 8160);
create unique index rounds_position on rounds (position) where position is not null;
-- Its last value is less than that of any position that is still to be given.
create sequence stream_positions minvalue 0 start 0;
select nextval('stream_positions');
-- Of the mark `stream`: the last position that retention deleted.
alter table marks add column position bigint;
-- The node has readers of the stream: others announce what they commit.
alter table nodes add column follows boolean not null default false;
