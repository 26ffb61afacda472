// Follows one instance through the HTTP API and reports where its state, versions, history and
// hashes do not agree.
#pragma once

#include <string>
#include <vector>

#include "model/history.h"
#include "support/server_client.h"

namespace holdfast::testing {

class HistoryAudit {
public:
    explicit HistoryAudit(std::string id) : id_(std::move(id)) {}

    // Reads the rows since the last call and checks that versions increase by one, the hash chain
    // is intact, the last state in the history is that of the instance, and the checksum matches.
    // Returns the errors.
    std::vector<std::string> follow(ServerClient& client);

    const std::string& id() const { return id_; }
    // All rows so far; the row of version v is at v - 1.
    const std::vector<HistoryRow>& rows() const { return rows_; }
    Version version() const { return rows_.size(); }
    const std::string& state() const { return state_; }  // canonical JSON

private:
    void read_rows(ServerClient& client);
    void add(const boost::json::value& item);
    void compare(const boost::json::value& instance);
    void blame(const std::string& what) { wrong_.push_back(id_ + ": " + what); }

    std::string id_;
    std::vector<HistoryRow> rows_;
    Digest last_hash_{};
    std::string state_ = "{}";
    std::string metadata_ = "{}";
    std::vector<std::string> wrong_;
};

}  // namespace holdfast::testing
