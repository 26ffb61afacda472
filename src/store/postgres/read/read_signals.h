// Queries for dead letters and journals, each on one connection.
#pragma once

#include "model/journal.h"
#include "store/nodes.h"
#include "store/postgres/connection/connection.h"
#include "store/view.h"

namespace holdfast::postgres {

Reply<std::optional<DeadLetter>> dead_letter(Connection& connection, const SignalId& id);
Reply<DeadLetterPage> dead_letters(Connection& connection, const DeadLetterQuery& query);
Reply<JobPage> jobs(Connection& connection, const JobQuery& query);
Reply<IncidentPage> incidents(Connection& connection, const IncidentQuery& query);
Reply<std::vector<std::vector<JournalEntry>>> journals(Connection& connection,
                                                       std::span<const JournalPart> parts);

}  // namespace holdfast::postgres
