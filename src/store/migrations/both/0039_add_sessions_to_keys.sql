-- The session of a browser and the link that begins one are keys that stand for another credential.
alter table api_keys add column kind text not null default 'key';
alter table api_keys add column parent text;
