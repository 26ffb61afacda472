#include "raw_limit.h"

#include "edits.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/write/write.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/rows/write.h"
#include "store/sqlite/settings.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t rounds_prepared = 64;

// One commit's worth of edits, decided.
struct Prepared {
    Prepared(RoundId id, const std::vector<Instance>& instances, Moment now)
        : round{.id = id, .reads = reads_of(instances)}, view(round.reads, load(instances, now)) {}

    static ReadSet reads_of(const std::vector<Instance>& instances) {
        ReadSet reads;
        for (const Instance& instance : instances) reads.instance(instance.id, Depth::document);
        return reads;
    }
    static Loaded load(const std::vector<Instance>& instances, Moment now) {
        Loaded loaded;
        loaded.now = now;
        for (const Instance& instance : instances)
            loaded.instances.emplace(instance.id, Loaded::Row{.instance = instance});
        return loaded;
    }

    Round round;
    View view;
};

using Rounds = std::vector<std::unique_ptr<Prepared>>;

// Prepares the next rounds and moves `instances` past them.
Rounds prepare_rounds(IdSource& ids, Moment now, std::vector<Instance>& instances) {
    Rounds rounds;
    for (std::size_t r = 0; r < rounds_prepared; ++r) {
        auto prepared = std::make_unique<Prepared>(ids.next<RoundId>(), instances, now);
        for (std::size_t i = 0; i < instances.size(); ++i) {
            Instance& edited = prepared->view.edit(instances[i].id);
            edited.state = edited_state(i, edited.version);
            edited.last_modified_at = now;
            prepared->view.accept(edited, {.type = HistoryType::state_changed,
                                           .payload = edited.state.text(),
                                           .cause = {.operation = ids.next<OperationId>()}});
            instances[i] = edited;
        }
        (void)prepared->view.changes();
        rounds.push_back(std::move(prepared));
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

template <class T, class Failure>
T take(std::expected<T, Failure> result) {
    if (!result) give_up(result.error().message);
    return *std::move(result);
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
        const auto& ready = run.build(rounds);
        const auto began = Clock::now();
        for (const auto& round : ready) run.commit(round);
        spent += Clock::now() - began;
        edits += rounds.size() * instances.size();
    }
    return static_cast<double>(edits) / spent.count();
}

class SqliteRun {
public:
    SqliteRun(const std::string& path, sqlite::Sequences sequences)
        : sequences_(std::move(sequences)) {
        side_.database = take(sqlite::Database::open(path, sqlite::Mode::read_write));
        check(side_.database->execute(sqlite::writer_pragmas));
        side_.index_paths = take(sqlite::load_index_paths(*side_.database));
        check(sqlite::load_positions(side_));
    }

    const Rounds& build(const Rounds& rounds) { return rounds; }

    void commit(const std::unique_ptr<Prepared>& prepared) {
        sqlite::Database& database = *side_.database;
        check(database["begin_round"].bind().run());
        rows_ += take(sqlite::write(side_, {}, prepared->round, prepared->view.now(),
                                    prepared->view.changes(), sequences_));
        check(database["commit_round"].bind().run());
    }

    std::size_t rows() const { return rows_; }

private:
    sqlite::WriteSide side_;
    sqlite::Sequences sequences_;
    std::size_t rows_ = 0;
};

// The statements of one prepared round, encoded.
struct Encoded {
    std::vector<postgres::WriteStatement> statements;
};

class PostgresRun {
public:
    explicit PostgresRun(const std::string& url)
        : connection_(take(postgres::Connection::open({url, std::chrono::seconds(30)},
                                                      postgres::Role::writer))) {}

    std::vector<Encoded> build(const Rounds& rounds) {
        std::vector<Encoded> ready;
        for (const auto& prepared : rounds)
            ready.push_back({postgres::encode(prepared->round.id, prepared->view.changes())});
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
    std::unique_ptr<postgres::Connection> connection_;
    std::size_t rows_ = 0;
};

// Runs `run` on `instances` for `time`.
template <class Run>
RawLimit measure(std::vector<Instance>& instances, std::chrono::milliseconds time, Run& run) {
    const Version first = instances.front().version;
    RawLimit limit;
    limit.edits_per_second = edits_per_second(instances, time, run);
    const auto edits = static_cast<double>((instances.front().version - first) * instances.size());
    limit.rows_per_edit = static_cast<double>(run.rows()) / edits;
    return limit;
}

}  // namespace

RawLimit sqlite_raw_limit(const std::string& path, std::vector<Instance> instances,
                          std::chrono::milliseconds time) {
    sqlite::Sequences sequences;
    {
        auto reader = take(sqlite::Database::open(path, sqlite::Mode::read_only));
        for (const Instance& instance : instances) {
            const auto stored = take(sqlite::load_instance(*reader, instance.id, Depth::row));
            if (!stored) give_up("an instance is gone");
            sequences[instance.id] = stored->seq;
        }
    }
    SqliteRun run(path, std::move(sequences));
    return measure(instances, time, run);
}

RawLimit postgres_raw_limit(const std::string& url, std::vector<Instance> instances,
                            std::chrono::milliseconds time) {
    PostgresRun run(url);
    return measure(instances, time, run);
}

}  // namespace holdfast::bench
