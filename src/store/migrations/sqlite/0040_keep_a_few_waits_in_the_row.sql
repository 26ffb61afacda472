-- Up to four waits are in the row of their instance. Whoever sends the names of the engine knows the instance.
update instances
set waiting_json = (select '[' || group_concat(w.wait, ',') || ']' from parallel_waits w where w.instance = seq)
where seq in (select instance from parallel_waits group by instance having count(*) between 2 and 4);
delete from parallel_waits
where instance in (select instance from parallel_waits group by instance having count(*) between 2 and 4);
delete from waits where name glob 'task/*' or name glob 'process/*';
