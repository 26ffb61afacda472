// Invariants of events and waits in every committed state of a PostgreSQL database, as queries that
// count violations.
#pragma once

namespace holdfast::testing {

// I1: no wait has a queued event that it could take. I19: waits and timers have the token of their
// instance. A suspended instance has a wait, which is a row unless only the engine ends it, and no
// event is queued for an ended one.
constexpr const char* violations_sql = R"sql(
    select (select count(*) from waits w join pending_events p
                   on p.name = w.name and p.correlation = w.correlation and p.tenant = w.tenant
                  and (p.target_id is null or p.target_id = w.instance_id)
            where not p.keep)
         + (select count(*) from waits w left join instances i on i.id = w.instance_id
            where i.id is null or i.status <> 'suspended' or i.paused 
                  or (i.waiting_token <> w.token and not exists (
                          select from parallel_waits several
                          where several.instance_id = i.id and several.token = w.token)))
         + (select count(*) from timers t left join instances i on i.id = t.instance_id
            where i.id is null or i.status <> 'suspended' or i.paused 
                  or (i.waiting_token <> t.token and not exists (
                          select from parallel_waits several
                          where several.instance_id = i.id and several.token = t.token)))
         + (select count(*) from instances i where i.status = 'suspended' and not i.paused
                   and not exists (select from waits w where w.instance_id = i.id)
                   and coalesce(i.waiting_json, '') !~ '"names":\["(task|process)/'
                   and not exists (select from parallel_waits several
                                   where several.instance_id = i.id
                                     and several.wait ~ '"names":\["(task|process)/'))
         + (select count(*) from pending_events p join instances i on i.id = p.target_id
            where i.completed_at is not null))sql";

// I2, I3: how many of these events are not in exactly one table.
constexpr const char* misplaced_sql = R"sql(
    select count(*) from unnest($1::uuid[]) event (id)
    where (select count(*) from pending_events where event_id = event.id)
        + (select count(*) from event_fates where event_id = event.id)
        + (select count(*) from dead_events where event_id = event.id) <> 1)sql";

}  // namespace holdfast::testing
