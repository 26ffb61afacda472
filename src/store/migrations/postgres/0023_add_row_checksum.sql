-- Ties the row to its id; rows that were written before have none until their next write.
alter table instances add column row_checksum bigint;
