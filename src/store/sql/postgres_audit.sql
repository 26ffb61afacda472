-- The audit.

-- name: begin_audit (postgres only)
insert into audit_heads (tenant, newest, hash, forgotten, anchor)
values ($1::text, 0, decode(repeat('0', 64), 'hex'), 0, decode(repeat('0', 64), 'hex'))
on conflict (tenant) do nothing

-- Puts the writers of all nodes in order.
-- name: lock_audit_head (postgres only)
select {audit_heads} from audit_heads where tenant = $1::text for update

-- name: read_audit_head (postgres only)
select {audit_heads} from audit_heads where tenant = $1::text

-- name: write_audit_head (postgres only)
update audit_heads set newest = $2::bigint, hash = $3::bytea, forgotten = $4::bigint, anchor = $5::bytea
where tenant = $1::text

-- name: insert_audit (postgres only)
insert into audit ({audit}) select * from unnest({$1 audit}) rows ({audit})

-- name: read_audit (postgres only)
select {audit} from audit
where tenant = $1::text and number between $2::bigint and $3::bigint and ($4::text is null or action = $4::text)
  and ($5::text is null or user_id = $5::text) and ($6::text is null or credential = $6::text)
  and ($7::text is null or address = $7::text) and ($8::timestamptz is null or at >= $8::timestamptz)
  and ($9::timestamptz is null or at < $9::timestamptz)
order by number * $10::bigint limit $11::bigint

-- The last one that may go: no row before it is younger, nor is it the newest.
-- name: find_old_audit (postgres only)
select number, hash from audit
where tenant = $1::text
  and number < least($3::bigint + 10001,
                     coalesce((select min(number) from audit where tenant = $1::text and at >= $2::timestamptz),
                              $4::bigint))
order by number desc limit 1

-- name: forget_audit (postgres only)
delete from audit where tenant = $1::text and number <= $2::bigint
