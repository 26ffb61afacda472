// The client library: starts, reads, edits and searches workflows on a Holdfast server, and
// resolves conflicting edits.
//
//     holdfast::client::Client client("http://127.0.0.1:8080");
//     auto done = retry_on_conflict(client, id, [](const Json& state) {
//         Json next = state;
//         next.as_object()["approved"] = true;
//         return next;
//     });
#pragma once

#include <functional>
#include <memory>

#include "holdfast/client_values.h"

namespace holdfast::client {

struct ClientOptions {
    std::string token;    // bearer token; empty: none
    std::string user_id;  // the acting user; empty: none
    // Of an https server. Files in PEM.
    std::string ca;           // authorities to trust; empty: those that the system trusts
    std::string certificate;  // of the client, if the server asks for one; empty: none
    std::string key;          // its private key; empty: in the file of the certificate
    std::chrono::milliseconds connect_time{5'000};
    std::chrono::milliseconds exchange_time{30'000};  // from sending to the last byte received
};

// Not thread-safe: give each thread its own. Keeps a connection open between calls.
class Client {
public:
    // `server_url` is "http://host:port" or "https://host:port". If it is malformed, every call
    // fails as `invalid`.
    explicit Client(const std::string& server_url, ClientOptions options = {});
    Client(Client&&) noexcept;
    Client& operator=(Client&&) noexcept;
    ~Client();

    // Unchanged content keeps its version; changed content makes the next one.
    Answer<Definition> put_definition(const std::string& key, const DefinitionSpec& spec);
    Answer<Workflow> start(const StartSpec& spec);
    Answer<Workflow> get(const std::string& id);
    // Conflict: the expected version is stale and `on_conflict` did not resolve it. A failed `test`
    // of a JSON Patch, an ended or a quarantined workflow is a Failure.
    Answer<std::variant<Edited, Conflict>> patch_state(const std::string& id, const Edit& edit);
    Answer<Page<Workflow>> list(const ListQuery& query = {});
    Answer<HistoryPage> history(const std::string& id, Version from = 1,
                                std::optional<std::size_t> limit = {});
    Answer<Cancelled> cancel(const std::string& id, const std::string& reason = {});
    // Deletes the workflow with its children.
    Answer<std::variant<Cleared, Conflict>> clear(const std::string& id, Version expected_version);

    Answer<Checkpoint> create_checkpoint(const std::string& id, const std::string& name);
    Answer<std::vector<Checkpoint>> checkpoints(const std::string& id);
    // Writes the checkpoint's state as a new version.
    Answer<Restored> restore(const std::string& id, const std::string& checkpoint);
    // Starts another workflow from the checkpoint. Absent business reference: the original's.
    Answer<Workflow> fork(const std::string& id, const std::string& checkpoint,
                          const std::optional<BusinessReference>& business = {});

    // Conflicting edits, newest first, as the server returns them.
    Answer<Page<Json>> conflicts(const ConflictQuery& query = {});

private:
    struct Wire;
    std::unique_ptr<Wire> wire_;
};

// How a client resolves a conflict. `base` is the state it read, `current` the server's state now,
// `mine` the state it tried to write.
struct Reapply {};     // apply the change to `current`, for example to increment a counter
struct ClientWins {};  // write `mine` over `current`
struct ServerWins {};  // keep `current`, write nothing
struct Merge {};       // three-way; a member that both sides changed remains a conflict
// Absent: give up and return the conflict to the caller.
using CustomMerge =
    std::function<std::optional<Json>(const Json& base, const Json& current, const Json& mine)>;
using Strategy = std::variant<Reapply, ClientWins, ServerWins, Merge, CustomMerge>;

// The state to write instead of `mine`. Conflict: the strategy does not resolve it at `paths`.
// Reapply needs the change function, so here it returns the conflict.
std::variant<Json, Conflict> resolve(const Strategy& strategy, const Json& base, const Json& mine,
                                     const Conflict& conflict);

struct RetryOptions {
    Strategy strategy = Reapply{};
    int attempts = 3;  // writes and failed reads together
    std::chrono::milliseconds first_delay{100};
    double factor = 2;
    double jitter = 0.5;  // each delay is shortened by up to this fraction
    std::chrono::milliseconds longest_delay{10'000};       // also for a Retry-After
    std::function<void(std::chrono::milliseconds)> sleep;  // empty: the calling thread sleeps
    std::function<double()> random;                        // in [0, 1); empty: the system's
};

struct Settled {
    enum class How { written, already_so, server_won };

    Version version = 0;
    Json state;
    How how = How::written;
    int attempts = 0;  // writes sent
};

// Returns the new state; if it equals `state`, nothing is written. May be called several times.
using Change = std::function<Json(const Json& state)>;

// Reads, changes and writes with If-Match; resolves a conflict by the strategy and retries with
// exponential backoff. An overloaded or unavailable server uses up attempts too, and its
// Retry-After is respected. After a lost response the history shows whether the edit was made, so
// it is made once. Conflict: the attempts are used up, or the strategy gave up.
Answer<std::variant<Settled, Conflict>> retry_on_conflict(Client& client, const std::string& id,
                                                          const Change& change,
                                                          const RetryOptions& options = {});

}  // namespace holdfast::client
