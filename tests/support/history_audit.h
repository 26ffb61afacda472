// Follows one instance through the HTTP interface and says where its state, its versions, its
// history and its hashes do not agree.
#pragma once

#include <string>
#include <vector>

#include "model/history.h"
#include "support/server_client.h"

namespace holdfast::testing {

class HistoryAudit {
public:
    explicit HistoryAudit(std::string id) : id_(std::move(id)) {}

    // Reads what is new since the last call and checks all of it: versions rise by one, each hash
    // follows from the one before, replaying gives the state that the instance shows, the checksum
    // is that of the state. Gives what is wrong.
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
