-- API keys.

-- Puts the changes of all nodes in order; readers do not wait.
-- name: lock_keys (postgres only)
lock table api_keys in share row exclusive mode

-- name: revoke_key (postgres only)
update api_keys set revoked_at = $3::timestamptz, change = (select max(change) + 1 from api_keys)
where key_id = $1::text and tenant = $2::text and revoked_at is null
  and (expires_at is null or expires_at > $3::timestamptz)
returning 1::bigint

-- name: expire_key (postgres only)
update api_keys
set expires_at = least(expires_at, $4::timestamptz), change = (select max(change) + 1 from api_keys)
where key_id = $1::text and tenant = $2::text and revoked_at is null
  and (expires_at is null or expires_at > $3::timestamptz)
returning 1::bigint

-- The newest one is kept, so that a server with keys never looks like one without.
-- name: forget_keys (postgres only)
delete from api_keys
where (revoked_at < $1::timestamptz or expires_at < $1::timestamptz) and kind = 'key'
  and change < (select max(change) from api_keys where kind = 'key')

-- name: forget_sessions (postgres only)
delete from api_keys
where (revoked_at < $1::timestamptz or expires_at < $1::timestamptz) and kind <> 'key'
  and change < (select max(change) from api_keys)

-- name: renew_session (postgres only)
update api_keys
set expires_at = $3::timestamptz, change = (select max(change) + 1 from api_keys)
where key_id = $1::text and kind = 'session' and revoked_at is null
  and expires_at > $2::timestamptz and expires_at < $3::timestamptz

-- name: insert_key (postgres only)
insert into api_keys ({api_keys})
values ($1::text, $2::text, $3::text, $4::text, $5::text[], $6::text[], $7::text[], $8::bytea,
        $9::timestamptz, $10::text, $11::timestamptz, null, null, $12::text,
        (select coalesce(max(change), 0) + 1 from api_keys), $13::text, $14::text)

-- name: note_key_uses (postgres only)
update api_keys k set last_used_at = used.at
from unnest($1::text[], $2::timestamptz[]) used (id, at)
where k.key_id = used.id and (k.last_used_at is null or k.last_used_at < used.at)

-- name: read_keys (postgres only)
select {api_keys} from api_keys
where change > $1::bigint and ($3::text is null or tenant = $3::text)
  and ($4::text is null or kind = $4::text)
order by change limit $2::bigint
