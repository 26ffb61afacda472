-- The audit.

-- name: read_audit_head (sqlite only)
select {audit_heads} from audit_heads where tenant = ?1

-- name: write_audit_head (sqlite only)
insert into audit_heads (tenant, newest, hash, forgotten, anchor) values (?1, ?2, ?3, ?4, ?5)
on conflict (tenant) do update
set newest = excluded.newest, hash = excluded.hash, forgotten = excluded.forgotten, anchor = excluded.anchor

-- name: insert_audit (sqlite only)
insert into audit ({audit}) values ({?1 audit})

-- name: read_audit (sqlite only)
select {audit} from audit
where tenant = ?1 and number between ?2 and ?3 and (?4 is null or action = ?4) and (?5 is null or user_id = ?5)
  and (?6 is null or credential = ?6) and (?7 is null or address = ?7) and (?8 is null or at >= ?8)
  and (?9 is null or at < ?9)
order by number * ?10 limit ?11

-- The last one that may go: no row before it is younger, nor is it the newest.
-- name: find_old_audit (sqlite only)
select number, hash from audit
where tenant = ?1 and number < min(?3 + 10001, coalesce((select min(number) from audit where tenant = ?1 and at >= ?2), ?4))
order by number desc limit 1

-- name: forget_audit (sqlite only)
delete from audit where tenant = ?1 and number <= ?2
