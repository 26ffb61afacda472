// The requests and responses of the client library, as plain values.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace holdfast::client {

using Json = boost::json::value;
using Version = std::uint64_t;

enum class FailureKind {
    invalid,          // 400, 413, 415, 422, or malformed before sending; retrying does not help
    unauthorized,     // 401 or 403: missing or wrong token, or not allowed
    not_found,        // 404
    conflict,         // 409 for another reason than a stale version: ended, quarantined, name taken
    overloaded,       // 429: nothing was changed
    unavailable,      // no connection, or 503: nothing was changed
    outcome_unknown,  // the response was lost: the change may have been made
    server_failed,    // 500, or an unexpected response
};

struct Failure {
    FailureKind kind = FailureKind::server_failed;
    int status = 0;               // HTTP; 0: there was no response
    std::string type;             // slug of the problem, such as "invalid-state"; empty: none
    std::string message;          // for people
    boost::json::object problem;  // the RFC 9457 document; empty: none
    std::optional<std::chrono::seconds> retry_after;
};

template <class T>
using Answer = std::expected<T, Failure>;

// The expected version of an edit is not the current one. Nothing was changed.
struct Conflict {
    Version current_version = 0;
    Json current_state;
    Json current_state_metadata;
    std::string resolution;          // "rejected", "overlapping" or "base-missing"
    std::vector<std::string> paths;  // changed differently by both sides (overlapping)
    std::string message;
};

struct Workflow {
    std::string id;
    Version version = 0;
    std::string status;
    std::string definition;
    Json state;               // null in a list that does not include it
    Json state_metadata;      // likewise
    boost::json::object raw;  // the instance with all its members, as the server sent it
    bool existed = false;     // a start found it under its business key and started nothing
};

struct Edited {
    Version version = 0;
    Json state;
    Json state_metadata;
    std::string last_modified_at;
    std::optional<std::string>
        resolution;  // how the server resolved a stale edit; absent: it was not stale
};

struct Cleared {};

struct Cancelled {
    Version version = 0;
    std::string status;    // "running": a flow that undoes its steps first
    bool changed = false;  // false: the workflow had already ended
};

struct HistoryEntry {
    Version version = 0;
    std::string type;
    Json payload;             // the new state, if the entry has one
    std::string correlation;  // of the edit
    std::string at;
    boost::json::object raw;
};

struct HistoryPage {
    std::vector<HistoryEntry> items;
    std::optional<Version> next_from;  // absent: that was the last page
};

struct Checkpoint {
    std::string name;
    Version version = 0;
    Json state;
    Json state_metadata;
    std::string created_at;
};

struct Restored {
    Version version = 0;
    Json state;
    Json state_metadata;
    std::string safety_checkpoint;  // name of the checkpoint with the previous state
};

struct Definition {
    std::string key;
    Version version = 0;
    boost::json::object raw;
};

template <class T>
struct Page {
    std::vector<T> items;
    std::optional<std::string> next_cursor;  // absent: that was the last page
    bool scanned = false;                    // no index served the filters
    bool partial = false;                    // ended by its bytes or its effort; follow next_cursor
};

struct BusinessReference {
    std::string key;  // empty: none
    std::map<std::string, std::string> parts;
};

struct DefinitionSpec {
    std::optional<Json> schema;        // JSON Schema of draft 7; absent: any state
    std::vector<std::string> indexes;  // dotted paths, such as "agentContext.currentAgent"
};

struct StartSpec {
    std::string definition;
    BusinessReference business;
    Json state = boost::json::object{};
    Json state_metadata = boost::json::object{};
    Json arguments = nullptr;  // of a flow, an array; null: none
    std::optional<std::string>
        idempotency_key;  // repeats with the same key and spec start one workflow
    // What open and ended workflows of the definition under the same business key mean; empty:
    // "start". "reject", "existing" or "cancel"; "reject" or "afterFailure".
    std::string on_open = {};
    std::string on_closed = {};
    // 0 to 9: where the definition has limits, a higher one gets its turn earlier.
    std::uint32_t priority = 0;
};

// An absent document is left unchanged.
struct Replace {
    std::optional<Json> state;
    std::optional<Json> state_metadata;
};
struct MergePatch {  // RFC 7396
    Json patch;
};
struct JsonPatch {  // RFC 6902
    Json patch;
};

// What the server does with a stale edit.
enum class OnConflict { reject, server_wins, client_wins, merge };

struct Edit {
    std::variant<Replace, MergePatch, JsonPatch> change;
    std::optional<Version> expected_version;  // absent: any version
    OnConflict on_conflict = OnConflict::reject;
    std::string correlation;  // recorded in the history; empty: none
};

// All filters must match. Newest first.
// What the workflows of a list come with.
enum class Include { row, state };

struct ListQuery {
    std::vector<std::string> statuses;  // "open": running and suspended
    std::optional<std::string> definition;
    std::optional<std::string> business_key;
    std::vector<std::pair<std::string, std::string>> business_parts;
    std::optional<Json> contains;                            // part of the state
    std::optional<Json> meta_contains;                       // part of the metadata
    std::vector<std::pair<std::string, std::string>> paths;  // dotted path and its value
    std::optional<std::string> created_from;                 // ISO 8601, UTC, inclusive
    std::optional<std::string> created_before;               // exclusive
    Include include = Include::row;                          // state: a page ends after 4 MiB
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
};

struct ConflictQuery {
    std::optional<std::string> workflow;
    std::optional<std::string> resolution;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
};

}  // namespace holdfast::client
