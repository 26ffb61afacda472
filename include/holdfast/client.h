// The client library: starts, reads, edits and searches workflows on a holdfast server, and settles
// edits that collide.
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
    std::string token;    // bearer; empty: none
    std::string user_id;  // the acting user, a UUID; empty: nobody
    std::chrono::milliseconds connect_time{5'000};
    std::chrono::milliseconds exchange_time{30'000};  // from sending to the last byte of the answer
};

// One thread at a time: give each thread its own. Keeps a connection open between calls.
class Client {
public:
    // `server_url` is "http://host:port". A bad one fails every call as `invalid`.
    explicit Client(const std::string& server_url, ClientOptions options = {});
    Client(Client&&) noexcept;
    Client& operator=(Client&&) noexcept;
    ~Client();

    // The same content keeps its version, other content makes the next one.
    Answer<Definition> put_definition(const std::string& key, const DefinitionSpec& spec);
    Answer<Workflow> start(const StartSpec& spec);
    Answer<Workflow> get(const std::string& id);
    // Conflict: the expected version is not the current one and `on_conflict` did not settle it.
    // A failed `test` of a JSON Patch, an ended or a quarantined workflow is a Failure.
    Answer<std::variant<Edited, Conflict>> patch_state(const std::string& id, const Edit& edit);
    Answer<Page<Workflow>> list(const ListQuery& query = {});
    Answer<HistoryPage> history(const std::string& id, Version from = 1,
                                std::optional<std::size_t> limit = {});
    Answer<Cancelled> cancel(const std::string& id, const std::string& reason = {});
    // Deletes it with its children.
    Answer<std::variant<Cleared, Conflict>> clear(const std::string& id, Version expected_version);

    Answer<Checkpoint> create_checkpoint(const std::string& id, const std::string& name);
    Answer<std::vector<Checkpoint>> checkpoints(const std::string& id);
    // Writes the checkpoint's state as a new version.
    Answer<Restored> restore(const std::string& id, const std::string& checkpoint);
    // Starts another workflow from it. Absent business reference: that of the original.
    Answer<Workflow> fork(const std::string& id, const std::string& checkpoint,
                          const std::optional<BusinessReference>& business = {});

    // The edits that collided, newest first, as the server shows them.
    Answer<Page<Json>> conflicts(const ConflictQuery& query = {});

private:
    struct Wire;
    std::unique_ptr<Wire> wire_;
};

// How a client settles a conflict. `base` is the state it read, `current` what the server has now,
// `mine` what it wanted to write.
struct Reapply {};     // apply the change to `current`: right for counters and the like
struct ClientWins {};  // write `mine` over `current`
struct ServerWins {};  // keep `current`, write nothing
struct Merge {};  // three-way: members that only one side changed; both changed: still a conflict
// Absent: give up and hand the conflict to the caller.
using CustomMerge =
    std::function<std::optional<Json>(const Json& base, const Json& current, const Json& mine)>;
using Strategy = std::variant<Reapply, ClientWins, ServerWins, Merge, CustomMerge>;

// What to write instead of `mine`. Conflict: the strategy does not settle it; `paths` says where.
// Reapply has nothing to merge with here and gives up.
std::variant<Json, Conflict> resolve(const Strategy& strategy, const Json& base, const Json& mine,
                                     const Conflict& conflict);

struct RetryOptions {
    Strategy strategy = Reapply{};
    int attempts = 3;  // writes, all told
    std::chrono::milliseconds first_delay{100};
    double factor = 2;
    double jitter = 0.5;                              // each delay loses up to this share of itself
    std::chrono::milliseconds longest_delay{10'000};  // also for a Retry-After
    std::function<void(std::chrono::milliseconds)> sleep;  // empty: the calling thread sleeps
    std::function<double()> random;                        // in [0, 1); empty: of the system
};

struct Settled {
    enum class How { written, already_so, server_won };

    Version version = 0;
    Json state;
    How how = How::written;
    int attempts = 0;  // writes sent
};

// The state that should replace `state`; equal to it: nothing is written. May be called again.
using Change = std::function<Json(const Json& state)>;

// Reads, changes, writes under If-Match; settles a conflict by the strategy and tries again,
// waiting longer each time. An overloaded or unavailable server uses attempts too and is given the
// time it asks for. After a lost answer the history tells whether the edit was made, so it is made
// once. Conflict: attempts are used up, or the strategy gave up.
Answer<std::variant<Settled, Conflict>> retry_on_conflict(Client& client, const std::string& id,
                                                          const Change& change,
                                                          const RetryOptions& options = {});

}  // namespace holdfast::client
