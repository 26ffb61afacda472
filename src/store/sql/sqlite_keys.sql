-- API keys.

-- name: revoke_key (sqlite only)
update api_keys set revoked_at = ?3, change = (select max(change) + 1 from api_keys)
where key_id = ?1 and tenant = ?2 and revoked_at is null and (expires_at is null or expires_at > ?3)

-- name: expire_key (sqlite only)
update api_keys
set expires_at = min(coalesce(expires_at, ?4), ?4), change = (select max(change) + 1 from api_keys)
where key_id = ?1 and tenant = ?2 and revoked_at is null and (expires_at is null or expires_at > ?3)

-- The newest one is kept, so that a server with keys never looks like one without.
-- name: forget_keys (sqlite only)
delete from api_keys
where (revoked_at < ?1 or expires_at < ?1) and kind = 'key'
  and change < (select max(change) from api_keys where kind = 'key')

-- name: forget_sessions (sqlite only)
delete from api_keys
where (revoked_at < ?1 or expires_at < ?1) and kind <> 'key' and change < (select max(change) from api_keys)

-- name: renew_session (sqlite only)
update api_keys set expires_at = ?3, change = (select max(change) + 1 from api_keys)
where key_id = ?1 and kind = 'session' and revoked_at is null and expires_at > ?2 and expires_at < ?3

-- name: insert_key (sqlite only)
insert into api_keys ({api_keys}) values ({?1 api_keys})

-- name: read_key_change (sqlite only)
select coalesce(max(change), 0) from api_keys

-- name: note_key_use (sqlite only)
update api_keys set last_used_at = ?2 where key_id = ?1 and (last_used_at is null or last_used_at < ?2)

-- name: read_keys (sqlite only)
select {api_keys} from api_keys
where change > ?1 and (?3 is null or tenant = ?3) and (?4 is null or kind = ?4) order by change limit ?2
