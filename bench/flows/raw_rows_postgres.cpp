#include <dlfcn.h>
#include <libpq-fe.h>

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/threads/threads.h"
#include "raw_rows.h"
#include "support/world.h"

namespace holdfast::bench {
namespace {

struct PostgresWrite {
    std::string name;
    std::vector<std::optional<std::string>> values;
    std::vector<int> formats;
};
using Transaction = std::vector<PostgresWrite>;

bool is_read(const std::string& name) {
    return name.starts_with("load_") || name.starts_with("lock_") || name.starts_with("read_") ||
           name.starts_with("check_");
}

// The rounds of each connection. A round that is rolled back is forgotten.
class PostgresRecording final : public RecordedWrites {
public:
    PostgresRecording() { current = this; }
    ~PostgresRecording() override { current = nullptr; }

    void prepared(const std::string& name, const std::string& text) {
        const std::lock_guard lock(mutex_);
        texts_[name] = text;
    }
    void sent(const PGconn* connection, PostgresWrite write) {
        const std::lock_guard lock(mutex_);
        if (stopped_ || is_read(write.name)) return;
        Lane& lane = lanes_[connection];
        if (write.name == "begin_round") lane.open.emplace();
        if (!lane.open) return;
        const bool commits = write.name == "commit_round";
        const bool ends = commits || write.name == "rollback_round";
        lane.open->push_back(std::move(write));
        if (commits) (timing_ ? lane.timed : lane.before).push_back(*std::move(lane.open));
        if (ends) lane.open.reset();
    }
    void start_timing() override {
        const std::lock_guard lock(mutex_);
        timing_ = true;
    }
    void stop() override {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
    }
    Replayed replay() override;

    static inline PostgresRecording* current = nullptr;

private:
    struct Lane {
        std::optional<Transaction> open;
        std::vector<Transaction> before;
        std::vector<Transaction> timed;
    };

    std::mutex mutex_;
    std::map<std::string, std::string> texts_;
    std::map<const PGconn*, Lane> lanes_;
    bool timing_ = false;
    bool stopped_ = false;
};

// Sends each transaction in one trip.
class PostgresPlayer {
public:
    PostgresPlayer(const std::string& url, const std::map<std::string, std::string>& texts)
        : connection_(PQconnectdb(url.c_str()), PQfinish) {
        // As the connections of rounds.
        for (const char* setting :
             {"plan_cache_mode = force_generic_plan", "enable_seqscan = off",
              "enable_hashjoin = off", "enable_mergejoin = off", "enable_bitmapscan = off"})
            PQclear(PQexec(connection_.get(), (std::string("set ") + setting).c_str()));
        for (const auto& [name, text] : texts)
            PQclear(PQprepare(connection_.get(), name.c_str(), text.c_str(), 0, nullptr));
        PQenterPipelineMode(connection_.get());
    }
    void run(const Transaction& transaction) {
        for (const PostgresWrite& write : transaction) send(write);
        PQpipelineSync(connection_.get());
        for (std::size_t i = 0; i < transaction.size(); ++i) {
            const int status = take_result();
            if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
                throw std::runtime_error(transaction[i].name + ": " +
                                         PQerrorMessage(connection_.get()));
            take_result();  // the end of its results
        }
        take_result();  // the end of the pipeline
    }

private:
    void send(const PostgresWrite& write) {
        std::vector<const char*> values;
        std::vector<int> lengths;
        for (const auto& value : write.values) {
            values.push_back(value ? value->data() : nullptr);
            lengths.push_back(value ? static_cast<int>(value->size()) : 0);
        }
        PQsendQueryPrepared(connection_.get(), write.name.c_str(), static_cast<int>(values.size()),
                            values.data(), lengths.data(), write.formats.data(), 1);
    }
    int take_result() {
        PGresult* result = PQgetResult(connection_.get());
        const int status = result ? static_cast<int>(PQresultStatus(result)) : -1;
        PQclear(result);
        return status;
    }

    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

RecordedWrites::Replayed PostgresRecording::replay() {
    const testing::StorePlace place("postgres");
    std::vector<std::pair<const Lane*, std::unique_ptr<PostgresPlayer>>> players;
    Replayed replayed;
    for (const auto& [connection, lane] : lanes_) {
        if (lane.before.empty() && lane.timed.empty()) continue;
        players.emplace_back(&lane, std::make_unique<PostgresPlayer>(place.url(), texts_));
        for (const Transaction& transaction : lane.before) players.back().second->run(transaction);
        replayed.transactions += lane.timed.size();
        for (const Transaction& transaction : lane.timed)
            replayed.statements += transaction.size() - 2;
    }
    const auto began = std::chrono::steady_clock::now();
    {
        std::vector<std::jthread> threads;
        for (const auto& [lane, player] : players)
            threads.push_back(
                named_thread("replay", [&lane = *lane, &player = *player](std::stop_token) {
                    for (const Transaction& transaction : lane.timed) player.run(transaction);
                }));
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    replayed.seconds = took.count();
    return replayed;
}

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

std::unique_ptr<RecordedWrites> record_postgres() { return std::make_unique<PostgresRecording>(); }

}  // namespace holdfast::bench

// These stand before libpq's own, which they call.
extern "C" int PQsendPrepare(PGconn* connection, const char* name, const char* text, int count,
                             const Oid* types) {
    using namespace holdfast::bench;
    static auto* const send = real<decltype(PQsendPrepare)>("PQsendPrepare");
    if (PostgresRecording::current) PostgresRecording::current->prepared(name, text);
    return send(connection, name, text, count, types);
}

extern "C" int PQsendQueryPrepared(PGconn* connection, const char* name, int count,
                                   const char* const* values, const int* lengths,
                                   const int* formats, int result_format) {
    using namespace holdfast::bench;
    static auto* const send = real<decltype(PQsendQueryPrepared)>("PQsendQueryPrepared");
    if (PostgresRecording::current) {
        PostgresWrite write{.name = name};
        for (int i = 0; i < count; ++i) {
            write.formats.push_back(formats[i]);
            write.values.emplace_back();
            if (values[i])
                write.values.back() =
                    formats[i] == 1 ? std::string(values[i], static_cast<std::size_t>(lengths[i]))
                                    : std::string(values[i]);
        }
        PostgresRecording::current->sent(connection, std::move(write));
    }
    return send(connection, name, count, values, lengths, formats, result_format);
}
