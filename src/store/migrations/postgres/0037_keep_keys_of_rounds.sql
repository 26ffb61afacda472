-- Here a round keeps two indexes: on SQLite it has one key, its position.
comment on index rounds_pkey is 'Settles a lost COMMIT: whoever inserts the id first decides, and the other one waits.';
comment on index rounds_position is 'The order in which the stream is read.';
