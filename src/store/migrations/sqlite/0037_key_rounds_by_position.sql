-- A round is written once a commit, so it has one place: a table in the order of its keys, and no index. Its key is its
-- position in the stream; a round that the stream does not tell of has a number below zero, -1, -2, and so on.
alter table rounds rename to unordered_rounds;
create table rounds (
    position     integer primary key,
    round_id     blob    not null,
    fate         text    not null,
    committed_at integer not null,
    changes      blob
);
insert into rounds (position, round_id, fate, committed_at)
select -row_number() over (order by round_id), round_id, fate, committed_at
from unordered_rounds where position is null;
insert into rounds (position, round_id, fate, committed_at, changes)
select position, round_id, fate, committed_at, changes
from unordered_rounds where position is not null order by position;
drop table unordered_rounds;
