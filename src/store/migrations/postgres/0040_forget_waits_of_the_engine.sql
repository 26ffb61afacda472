-- Nobody looks up who waits for the names of the engine: whoever sends them knows the instance.
delete from waits where name like 'task/%' or name like 'process/%';
