#include "raw_limit.h"

#include "store/postgres/write/write.h"
#include "store/sqlite/database.h"
#include "store/sqlite/settings.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t events_prepared = 1'024;

struct Prepared {
    RoundId round;
    Moment at;
    MailChanges mail;
};

std::vector<Prepared> prepare(IdSource& ids, Moment now, const InstanceId& target,
                              std::size_t events_per_commit) {
    std::vector<Prepared> rounds(events_prepared / events_per_commit);
    for (Prepared& round : rounds) {
        round.round = ids.next<RoundId>();
        round.at = now;
        for (std::size_t n = 0; n < events_per_commit; ++n) {
            Event event{.id = ids.next<EventId>(), .name = "raw", .target = target};
            event.value = Document::of(boost::json::object{{"client", n}, {"n", 0}});
            event.accepted_at = now;
            event.operation = ids.next<OperationId>();
            round.mail.queued.emplace(event.id, event);
        }
    }
    return rounds;
}

void check(const Result<void>& done) {
    if (!done) throw std::runtime_error("raw limit: " + done.error().message);
}

class SqliteRun {
public:
    explicit SqliteRun(const std::string& path)
        : database_(*sqlite::Database::open(path, sqlite::Mode::read_write)) {
        check(database_->execute(sqlite::writer_pragmas));
    }

    const std::vector<Prepared>& build(const std::vector<Prepared>& rounds) { return rounds; }

    void commit(const Prepared& round) {
        sqlite::Database& db = *database_;
        check(db["begin_round"].bind().run());
        check(db["write_round"].bind(round.round, round.at).run());
        for (const auto& [id, e] : round.mail.queued)
            check(db["insert_pending_events"]
                      .bind(e.id, e.name, e.target, e.value.text(), name_of(e.on_target_ended),
                            e.keep == Keep::yes, e.accepted_at, e.expires_at, e.operation,
                            e.correlation, e.tenant)
                      .run());
        check(db["commit_round"].bind().run());
    }

private:
    std::unique_ptr<sqlite::Database> database_;
};

class PostgresRun {
public:
    using Statements = std::vector<postgres::WriteStatement>;

    explicit PostgresRun(const std::string& url)
        : connection_(*postgres::Connection::open({url, std::chrono::seconds(30)},
                                                  postgres::Role::writer)) {}

    std::vector<Statements> build(const std::vector<Prepared>& rounds) {
        const std::vector<HistoryRow> history;
        const std::vector<ConflictRow> conflicts;
        const std::vector<std::shared_ptr<const Definition>> definitions;
        const std::set<InstanceId> cleared;
        std::vector<Statements> ready;
        for (const Prepared& round : rounds) {
            Changes changes;
            changes.history = &history;
            changes.conflicts = &conflicts;
            changes.definitions = &definitions;
            changes.mail = &round.mail;
            changes.cleared_journals = &cleared;
            ready.push_back(postgres::encode(round.round, changes));
        }
        return ready;
    }

    void commit(const Statements& statements) {
        connection_->queue("begin_round");
        (void)postgres::queue(*connection_, statements, {});
        connection_->queue("commit_round");
        if (auto done = connection_->exchange(); !done)
            throw std::runtime_error("raw limit: " + done.error().message);
    }

private:
    std::unique_ptr<postgres::Connection> connection_;
};

// Preparing is not timed.
template <class Run>
double events_per_second(Run& run, std::size_t events_per_commit, std::chrono::milliseconds time) {
    SystemClock clock;
    IdSource ids(clock);
    const auto target = ids.next<InstanceId>();
    std::chrono::duration<double> spent{};
    std::size_t events = 0;
    while (spent < time) {
        const auto rounds = prepare(ids, clock.now(), target, events_per_commit);
        const auto& ready = run.build(rounds);
        for (const auto& round : ready) {
            const auto began = Clock::now();
            run.commit(round);
            spent += Clock::now() - began;
            events += events_per_commit;
            if (spent >= time) break;
        }
    }
    return static_cast<double>(events) / spent.count();
}

template <class Run>
RawLimit raw_limit_of(Run run, std::chrono::milliseconds time) {
    (void)events_per_second(run, many, std::chrono::seconds(1));  // warms caches and the WAL
    RawLimit limit;
    limit.many_a_commit = events_per_second(run, many, time);
    limit.one_a_commit = events_per_second(run, 1, time);
    return limit;
}

}  // namespace

RawLimit raw_limit(const testing::StorePlace& place, std::chrono::milliseconds time) {
    if (place.kind() == "sqlite") return raw_limit_of(SqliteRun(place.url().substr(7)), time);
    return raw_limit_of(PostgresRun(place.url()), time);
}

}  // namespace holdfast::bench
