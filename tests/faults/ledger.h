// What drivers of workflows asked for and were told, what the history has in the end, and a
// comparison of the two. Values and one pure function.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/history.h"
#include "support/edit_load.h"

namespace holdfast::testing {

enum class Deed { start, wait, send, step, edit, complete };

const char* name_of(Deed deed);

// One request. `key` tells it from others of its kind: the business key of a start, the index of a
// wait or a step, the id of an event, the correlation of an edit, nothing for the end.
struct Call {
    std::size_t relay = 0;
    Deed deed = Deed::start;
    std::string key;
    Told told = Told::unknown;
    std::optional<Version> version = {};  // where the answer named it
};

// One workflow that is driven from start to end, over waits, steps and edits.
struct Relay {
    std::string key;  // Idempotency-Key and business key
    std::string id = {};
    std::map<std::uint64_t, std::chrono::milliseconds> timers = {};  // by the index of the wait
    bool by_nodes = false;  // a program takes it through its stages; nobody asks for its steps
};

struct Ledger {
    std::vector<Relay> relays;
    std::vector<Call> calls;
    std::vector<std::string> odd;  // answers that nobody should get
};

// A row of the history, as far as it matters here.
struct RowFact {
    Version version = 0;
    HistoryType type = HistoryType::started;
    std::optional<std::uint64_t> index = {};
    std::string key = {};  // of a delivered event its id, of an edit its correlation
    Moment at = {};
    std::optional<Moment> due = {};  // of a delivered timer
};

struct RelayFacts {
    std::vector<std::string> ids;  // all workflows with the business key of the relay
    std::string status;
    std::vector<RowFact> rows;
    std::vector<std::string> wrong;  // versions, hashes, state: see HistoryAudit
};

struct Findings {
    std::size_t acknowledged = 0;  // calls
    std::size_t unknown = 0;       // calls without an answer
    std::size_t relays = 0;
    std::vector<std::string> lost;       // acknowledged and not there
    std::vector<std::string> doubled;    // there more than once
    std::vector<std::string> stuck;      // not at its end
    std::vector<std::string> broken;     // gaps, chains, states
    std::vector<std::string> otherwise;  // refused and there, early, never asked for, odd answers

    std::size_t violations() const {
        return lost.size() + doubled.size() + stuck.size() + broken.size() + otherwise.size();
    }
    Findings& operator+=(const Findings& more);
    // The first few of each kind, one a line.
    std::string complaints() const;
};

// `facts` are those of the ledger's relays, in their order.
Findings check(const Ledger& ledger, const std::vector<RelayFacts>& facts);

}  // namespace holdfast::testing
