// Grain storage: the whole state of an object (a grain, an actor, a workflow of another engine), in
// rows of its own, under an id and an ETag.
//
//     holdfast::GrainStorage grains{"sqlite:grains.db"};
//     holdfast::Grain cart = grains.read(id).value_or(holdfast::Grain{.definition = "cart"});
//     cart.variables = {{grains.new_id(), {{"items", 3}}}};
//     grains.write(id, cart);  // throws InconsistentState if somebody else wrote it meanwhile
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "holdfast/errors.h"

namespace holdfast {

// Ids are UUIDs as text.
struct GrainActivity {
    std::string id;  // of this execution of the activity
    std::string activity;

    bool operator==(const GrainActivity&) const = default;
};

struct GrainScope {
    std::string id;
    Json variables;

    bool operator==(const GrainScope&) const = default;
};

// A conditional flow out of a gateway.
struct GrainCondition {
    std::string id;
    std::string sequence_flow;
    bool result = false;
    bool evaluated = false;  // false: not yet, whatever the result

    bool operator==(const GrainCondition&) const = default;
};

// A parallel fork whose branches have not all reached their join.
struct GrainFork {
    std::string id;
    std::string gateway;  // the activity's id
    std::vector<std::string> tokens;

    bool operator==(const GrainFork&) const = default;
};

struct Grain {
    using Time = std::chrono::sys_time<std::chrono::microseconds>;

    std::string definition;
    std::string business_key = {};
    Json state = boost::json::object();
    Json metadata = boost::json::object();
    Time created_at = {};
    std::optional<Time> execution_started_at = {};
    std::optional<Time> completed_at = {};
    std::vector<GrainActivity> active = {};
    std::vector<GrainActivity> completed = {};
    std::vector<GrainScope> variables = {};
    std::map<std::string, std::vector<GrainCondition>> conditions = {};  // by the gateway's id
    std::vector<GrainFork> forks = {};
    std::string etag = {};  // changes with every write; empty: it is not stored

    bool operator==(const Grain&) const = default;
};

// Somebody else wrote or cleared the grain, or it was never read. What is stored is untouched.
class InconsistentState : public Exception {
public:
    InconsistentState(const std::string& id, std::string its_stored, std::string its_expected);

    std::string stored;    // the ETag; empty: nothing is stored
    std::string expected;  // likewise
};

// Thread-safe. Throws Unavailable if the store cannot be reached.
class GrainStorage {
public:
    // "memory:", "sqlite:PATH" or "postgres://..."; a SQLite file belongs to one process.
    explicit GrainStorage(const std::string& store);
    ~GrainStorage();

    // Absent: nothing is stored under this id.
    std::optional<Grain> read(const std::string& id);
    // Writes the rows that changed, and sets the grain's ETag. Throws InconsistentState unless its
    // ETag is the stored one.
    void write(const std::string& id, Grain& grain);
    // Deletes the grain with all its rows, but not its history: a later write goes on with the next
    // version, so that no old ETag matches. Does nothing if none is stored.
    void clear(const std::string& id, Grain& grain);

    std::string new_id();

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace holdfast
