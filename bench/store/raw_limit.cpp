#include "raw_limit.h"

#include "edits.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/write/write.h"
#include "store/row_checksum.h"
#include "store/sqlite/database.h"
#include "store/sqlite/settings.h"
#include "store/tables/caller_columns.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t rounds_prepared = 64;

// One commit's worth of edits: the instances before and after, and their history rows.
struct Prepared {
    RoundId round;
    std::vector<Instance> before;
    std::vector<Instance> after;
    std::vector<HistoryRow> history;
};

// Prepares the next rounds and moves `instances` past them.
std::vector<Prepared> prepare_rounds(IdSource& ids, Moment now, std::vector<Instance>& instances) {
    std::vector<Prepared> rounds;
    for (std::size_t r = 0; r < rounds_prepared; ++r) {
        Prepared round{.round = ids.next<RoundId>(), .before = instances};
        for (std::size_t i = 0; i < instances.size(); ++i) {
            Instance& instance = instances[i];
            instance.state = edited_state(i, instance.version);
            instance.last_modified_at = now;
            instance.updated_at = now;
            HistoryRow row{.instance = instance.id,
                           .version = ++instance.version,
                           .type = HistoryType::state_changed,
                           .payload = instance.state.text(),
                           .cause = {.operation = ids.next<OperationId>()},
                           .at = now};
            row.hash = chain(instance.history_hash, row);
            instance.history_hash = row.hash;
            ++instance.rev;
            round.history.push_back(std::move(row));
        }
        round.after = instances;
        rounds.push_back(std::move(round));
    }
    return rounds;
}

[[noreturn]] void give_up(const std::string& what) {
    std::fprintf(stderr, "raw limit: %s\n", what.c_str());
    std::exit(1);
}

void check(const Result<void>& done) {
    if (!done) give_up(done.error().message);
}

// Times `run(round)` over prepared rounds until `time` has passed; preparing is not timed.
template <class Run>
double edits_per_second(std::vector<Instance>& instances, std::chrono::milliseconds time,
                        Run& run) {
    SystemClock clock;
    IdSource ids(clock);
    std::chrono::duration<double> spent{};
    std::size_t edits = 0;
    while (spent < time) {
        const auto rounds = prepare_rounds(ids, clock.now(), instances);
        auto ready = run.build(rounds);
        const auto began = Clock::now();
        for (auto& round : ready) run.commit(round);
        spent += Clock::now() - began;
        edits += rounds.size() * instances.size();
    }
    return static_cast<double>(edits) / spent.count();
}

class SqliteRun {
public:
    SqliteRun(const std::string& path, std::map<InstanceId, std::int64_t> sequences)
        : database_(*sqlite::Database::open(path, sqlite::Mode::read_write)),
          sequences_(std::move(sequences)) {
        check(database_->execute(sqlite::writer_pragmas));
    }

    const std::vector<Prepared>& build(const std::vector<Prepared>& rounds) { return rounds; }

    void commit(const Prepared& round) {
        sqlite::Database& db = *database_;
        check(db["begin_round"].bind().run());
        check(db["write_round"].bind(round.round, round.history.front().at).run());
        for (const Instance& i : round.after) {
            const std::int64_t seq = sequences_.at(i.id);
            const std::optional<std::string> none;
            check(db["update_instances"]
                      .bind(seq, name_of(i.status), i.paused, i.incident, i.quarantined, i.version,
                            i.rev, i.history_hash, i.completed_at, i.updated_at,
                            tables::user_or_null(i.last_modified_by), i.last_modified_at, none,
                            none, none, i.state.checksum(), none, i.run, i.index,
                            name_of(summary_of(i.waits).kind), none, none, none, none, none,
                            i.last_executed_by, i.last_executed_at, none, row_checksum(i), i.id)
                      .run());
            check(db["update_document"].bind(seq, i.state.text(), i.state_metadata.text()).run());
        }
        for (const HistoryRow& row : round.history)
            check(db["insert_history"]
                      .bind(row.instance, row.version, name_of(row.type), row.payload,
                            row.state_metadata, row.cause.tenant(),
                            tables::user_or_null(row.cause.caller.user),
                            std::optional<std::string>{}, row.cause.operation,
                            std::optional<std::string>{}, row.at, row.hash)
                      .run());
        check(db["commit_round"].bind().run());
    }

private:
    std::unique_ptr<sqlite::Database> database_;
    std::map<InstanceId, std::int64_t> sequences_;
};

// The statements of one prepared round, encoded.
struct Encoded {
    std::vector<postgres::WriteStatement> statements;
};

class PostgresRun {
public:
    explicit PostgresRun(const std::string& url)
        : connection_(*postgres::Connection::open({url, std::chrono::seconds(30)},
                                                  postgres::Role::writer)) {}

    std::vector<Encoded> build(const std::vector<Prepared>& rounds) {
        std::vector<Encoded> ready;
        for (const Prepared& round : rounds) ready.push_back({encode(round)});
        return ready;
    }

    void commit(const Encoded& round) {
        connection_->queue("begin_round");
        rows_ += postgres::queue(*connection_, round.statements, {});
        connection_->queue("commit_round");
        if (auto done = connection_->exchange(); !done) give_up(done.error().message);
    }

    std::size_t rows() const { return rows_; }

private:
    static std::vector<postgres::WriteStatement> encode(const Prepared& round) {
        std::vector<InstanceChange> rows(round.after.size());
        Changes changes;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i].before = round.before[i];
            rows[i].after = round.after[i];
            changes.instances.push_back(&rows[i]);
        }
        std::ranges::sort(changes.instances, {},
                          [](const InstanceChange* change) { return change->after->id; });
        const std::vector<ConflictRow> conflicts;
        const std::vector<std::shared_ptr<const Definition>> definitions;
        const MailChanges mail;
        const std::set<InstanceId> cleared;
        changes.history = &round.history;
        changes.conflicts = &conflicts;
        changes.definitions = &definitions;
        changes.mail = &mail;
        changes.cleared_journals = &cleared;
        return postgres::encode(round.round, changes);
    }

    std::unique_ptr<postgres::Connection> connection_;
    std::size_t rows_ = 0;
};

}  // namespace

RawLimit sqlite_raw_limit(const std::string& path, std::vector<Instance> instances,
                          std::chrono::milliseconds time) {
    std::map<InstanceId, std::int64_t> sequences;
    {
        auto reader = *sqlite::Database::open(path, sqlite::Mode::read_only);
        for (const Instance& instance : instances) {
            auto& statement = (*reader)["load_instance"].bind(instance.id);
            if (auto stepped = statement.step(); !stepped) give_up(stepped.error().message);
            sequences[instance.id] = statement.integer();
            statement.reset();
        }
    }
    SqliteRun run(path, std::move(sequences));
    RawLimit limit;
    limit.edits_per_second = edits_per_second(instances, time, run);
    limit.rows_per_edit = 3 + 1.0 / static_cast<double>(instance_count);
    return limit;
}

RawLimit postgres_raw_limit(const std::string& url, std::vector<Instance> instances,
                            std::chrono::milliseconds time) {
    PostgresRun run(url);
    const Version first = instances.front().version;
    RawLimit limit;
    limit.edits_per_second = edits_per_second(instances, time, run);
    const auto edits = static_cast<double>((instances.front().version - first) * instances.size());
    limit.rows_per_edit = static_cast<double>(run.rows()) / edits;
    return limit;
}

}  // namespace holdfast::bench
