// Reads the histories of a ledger's relays from a server.
#pragma once

#include "faults/ledger.h"
#include "support/server_client.h"

namespace holdfast::testing {

// All drivers must have ended. Throws std::runtime_error when the server does not answer.
std::vector<RelayFacts> read_facts(ServerClient& client, const Ledger& ledger);

}  // namespace holdfast::testing
