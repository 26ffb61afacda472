// A row of the audit: who did what, when, from where, with which credential. Rows of a tenant are a
// chain: the hash of each covers the one before.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>

#include "base/ids/digest.h"
#include "base/time/moment.h"

namespace holdfast {

struct AuditRow {
    std::string tenant = "default";
    std::uint64_t number = 0;  // 1, 2, 3, ... in its tenant; given by the store
    Moment at;                 // by the clock of the node
    std::string action;        // the id of a route's description, or what the server itself did
    std::string target;        // what it was done to: the target of the request
    std::uint32_t status = 0;  // of the response; 0: there was no request
    std::string user;          // empty: nobody in particular
    std::string by;            // who acted for the user; empty: the user
    std::string credential;    // its id; empty: none
    std::string address;       // of the client, or that a proxy named
    std::string node;
    std::uint32_t count = 1;    // how often, where many are told in one row
    std::string detail = "{}";  // canonical JSON
    Digest hash;                // of the row before and of this one

    bool operator==(const AuditRow&) const = default;
};

// Its members but the hash: what is shown, exported and hashed.
boost::json::object audit_json(const AuditRow& row);
// The hash of a row behind one with the hash `before`.
Digest audit_hash(const Digest& before, const boost::json::object& shown);

}  // namespace holdfast
