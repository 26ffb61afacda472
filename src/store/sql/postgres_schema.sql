-- Session settings, migrations, and the indexes that definitions declare.

-- Never weakens synchronous_commit: keeps remote_apply. Rounds do not rely on it: see write_round.
-- name: session_settings (postgres only)
select set_config('synchronous_commit',
                  case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply'
                                                             else 'on' end, false),
       set_config('idle_in_transaction_session_timeout', '5s', false),
       set_config('lock_timeout', '2s', false),
       set_config('statement_timeout', '10s', false),
       set_config('client_min_messages', 'warning', false)

-- Generic index plans: a plan made while a table was empty stays good when the table is large.
-- name: writer_settings (postgres only)
select set_config('plan_cache_mode', 'force_generic_plan', false),
       set_config('enable_seqscan', 'off', false),
       set_config('enable_hashjoin', 'off', false),
       set_config('enable_mergejoin', 'off', false),
       set_config('enable_bitmapscan', 'off', false),
       set_config('jit', 'off', false)  -- the cost of a disabled scan would trigger it

-- name: maintenance_settings (postgres only)
select set_config('lock_timeout', '0', false),
       set_config('statement_timeout', '0', false)

-- The effective values of this connection.
-- name: read_durability (postgres only)
select current_setting('fsync'), current_setting('full_page_writes'),
       current_setting('synchronous_commit')

-- Does not wait: a waiting session would hold a snapshot, and a concurrent index build waits for
-- all older snapshots.
-- name: try_lock (postgres only)
select pg_try_advisory_lock($1::bigint)

-- name: create_schema_migrations (postgres only)
create table if not exists schema_migrations (
    number     integer     primary key,
    name       text        not null,
    applied_at timestamptz not null
)

-- name: last_migration (postgres only)
select coalesce(max(number), 0) from schema_migrations

-- name: record_migration (postgres only)
insert into schema_migrations (number, name, applied_at)
values ($1::integer, $2::text, clock_timestamp())

-- name: unbuilt_index_paths (postgres only)
select path from index_paths where not ready order by path collate "C"

-- name: find_invalid_index (postgres only)
select 1
from pg_class c
join pg_index x on x.indexrelid = c.oid
where c.relname = $1::text and pg_table_is_visible(c.oid) and not x.indisvalid

-- name: drop_path_index (postgres only)
drop index concurrently if exists %NAME%

-- name: create_path_index (postgres only)
create index concurrently if not exists %NAME%
on documents (left(state #>> '%PATH%', 200), instance_id)
where state #>> '%PATH%' is not null

-- Collects the statistics of the index expression, which the planner needs.
-- name: analyze_documents (postgres only)
analyze documents

-- name: mark_index_ready (postgres only)
update index_paths set ready = true where path = $1::text
