// The requests of drivers of workflows with their answers, the histories at the end, and a pure
// function that compares the two.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/history.h"
#include "support/edit_load.h"

namespace holdfast::testing {

enum class Action { start, wait, send, step, edit, complete };

const char* name_of(Action action);

// One request. `key` identifies it among others of its kind: the business key of a start, the index
// of a wait or a step, the id of an event, the correlation of an edit, nothing for the end.
struct Call {
    std::size_t relay = 0;
    Action action = Action::start;
    std::string key;
    Told told = Told::unknown;
    std::optional<Version> version = {};  // if the answer contained it
};

// One workflow that is driven from start to end, over waits, steps and edits.
struct Relay {
    std::string key;  // Idempotency-Key and business key
    std::string id = {};
    std::map<std::uint64_t, std::chrono::milliseconds> timers = {};  // by the index of the wait
    bool by_nodes = false;  // run by a program of the nodes; its steps are not requested
};

struct Ledger {
    std::vector<Relay> relays;
    std::vector<Call> calls;
    std::vector<std::string> unexpected;  // answers that must not occur
};

// A row of the history, as far as it matters here.
struct RowFact {
    Version version = 0;
    HistoryType type = HistoryType::started;
    std::optional<std::uint64_t> index = {};
    std::string key = {};  // the id of a delivered event, the correlation of an edit
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
    std::vector<std::string> lost;       // acknowledged but not stored
    std::vector<std::string> doubled;    // stored more than once
    std::vector<std::string> stuck;      // not ended
    std::vector<std::string> broken;     // gaps, hash chains, states
    std::vector<std::string> otherwise;  // stored though refused or never requested, early timers,
                                         // unexpected answers

    std::size_t violations() const {
        return lost.size() + doubled.size() + stuck.size() + broken.size() + otherwise.size();
    }
    Findings& operator+=(const Findings& more);
    // The first few of each kind, one per line.
    std::string complaints() const;
};

// `facts` has one entry for each relay of the ledger, in order.
Findings check(const Ledger& ledger, const std::vector<RelayFacts>& facts);

}  // namespace holdfast::testing
