-- Nobody may start an instance of a disabled definition. Disabling it is a version of its own, like every setting.
alter table definitions add column disabled boolean not null default false;

-- What cannot go on is found without looking at the rest.
create index instances_with_incident on instances (id) where incident;
