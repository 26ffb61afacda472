// Reads what a server has of the relays of a ledger.
#pragma once

#include "faults/ledger.h"
#include "support/server_client.h"

namespace holdfast::testing {

// Nobody may be driving them any more. Throws std::runtime_error when the server does not answer.
std::vector<RelayFacts> read_facts(ServerClient& client, const Ledger& ledger);

}  // namespace holdfast::testing
