-- How many workflows of a definition may run at a time and how often one may start, as JSON; null: as many as like.
alter table definitions add column limits text;
