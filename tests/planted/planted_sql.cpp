// The shipped statements, with one deliberate mistake: HOLDFAST_DEFECT names it. Linked before the
// library, whose statements are here as shipped_sqlite_statements and shipped_postgres_statements.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "store/sql.h"

namespace holdfast::sql {

std::span<const Statement> shipped_sqlite_statements();
std::span<const Statement> shipped_postgres_statements();

namespace {

struct Mistake {
    std::string_view defect;
    std::string_view statement;
    std::string_view shipped;  // must occur exactly once, so that a control cannot fade
    std::string_view planted;
};

// Neither the lock nor the guard: the last of two writers wins.
constexpr Mistake postgres_mistakes[] = {
    {"unguarded_update", "lock_instances", "order by id\nfor update", "order by id"},
    {"unguarded_update", "update_instances", " and i.rev = n.rev_before", ""},
    // A round on residents believes its guess of the time, of lives of nodes, of queues.
    {"memory_not_checked", "check_recalled", "select 1 / (clock_timestamp()",
     "select 1 / (true or clock_timestamp()"},
    {"attempt_counted_late", "claim_signals", "attempts = q.attempts + 1", "attempts = q.attempts"},
    {"due_signal_stays", "move_due_signals",
     "delete from schedule_queue s where s.signal_id = any(array(select signal_id from due))\n"
     "    returning {s.signal_head}, s.due_at, s.envelope",
     "select s.* from schedule_queue s where s.signal_id = any(array(select signal_id from due))"},
    {"dead_node_acts", "load_live_nodes", " where lease_until > clock_timestamp()", ""},
    {"destination_not_written", "insert_fates", "select {$1 as event_fates}",
     "select {$1 as event_fates} limit 0"},
    {"destination_not_written", "insert_fates", "1 / (count(*) = cardinality($1::uuid[]))::integer",
     "1"},
    {"retention_in_two_steps", "prune_instances", "from forgettable_instances i\n    where",
     "from instances i\n    where"},
    {"retention_in_two_steps", "lock_prunable", "from forgettable_instances i\nwhere",
     "from instances i\nwhere"},
    {"history_without_anchor", "trim_histories", "from cut\n    join history h",
     "from (select * from cut where false) cut\n    join history h"},
};

constexpr Mistake sqlite_mistakes[] = {
    {"attempt_counted_late", "lease_signal", "attempts = attempts + 1", "attempts = attempts"},
    {"due_signal_stays", "delete_due", "delete from schedule_queue\nwhere",
     "delete from schedule_queue\nwhere 0 and"},
    {"destination_not_written", "insert_fates", "values ({?1 event_fates})",
     "select {?1 event_fates} where 0"},
    {"retention_in_two_steps", "read_prunable",
     "  and not exists (select 1 from tasks t where t.instance = i.seq and t.ended_at is null)\n",
     ""},
    {"history_without_anchor", "put_history_anchor", "where h.instance_id = ?1 and h.version = ?2",
     "where h.instance_id = ?1 and h.version = -?2"},
};

std::string_view planted() {
    const char* name = std::getenv("HOLDFAST_DEFECT");
    return name ? name : "";
}

std::size_t count_of(std::span<const Statement> statements, const Mistake& mistake) {
    std::size_t count = 0;
    for (const Statement& statement : statements) {
        if (statement.name != mistake.statement) continue;
        std::size_t at = statement.text.find(mistake.shipped);
        for (; at != std::string_view::npos; at = statement.text.find(mistake.shipped, at + 1))
            ++count;
    }
    return count;
}

// All of them, also those that are not planted now.
void check(std::span<const Statement> shipped, std::span<const Mistake> mistakes) {
    for (const Mistake& mistake : mistakes) {
        const std::size_t found = count_of(shipped, mistake);
        if (found == 1) continue;
        std::cerr << "cannot plant " << mistake.defect << ": its shipped text occurs " << found
                  << " times in " << mistake.statement << ", not once\n";
        std::_Exit(3);
    }
}

// Statements live as long as the program.
std::span<const Statement> with_mistakes(std::span<const Statement> shipped,
                                         std::span<const Mistake> mistakes) {
    check(shipped, mistakes);
    static std::vector<std::vector<Statement>*> kept;
    auto* changed = kept.emplace_back(new std::vector<Statement>(shipped.begin(), shipped.end()));
    for (const Mistake& mistake : mistakes) {
        if (mistake.defect != planted()) continue;
        for (Statement& statement : *changed) {
            if (statement.name != mistake.statement) continue;
            auto* text = new std::string(statement.text);
            text->replace(text->find(mistake.shipped), mistake.shipped.size(), mistake.planted);
            statement.text = *text;
        }
    }
    return *changed;
}

}  // namespace

std::span<const Statement> sqlite_statements() {
    static const std::span<const Statement> statements =
        with_mistakes(shipped_sqlite_statements(), sqlite_mistakes);
    return statements;
}

std::span<const Statement> postgres_statements() {
    static const std::span<const Statement> statements =
        with_mistakes(shipped_postgres_statements(), postgres_mistakes);
    return statements;
}

}  // namespace holdfast::sql
