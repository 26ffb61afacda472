// Deletes one batch of what retention no longer keeps.
#pragma once

#include "store/nodes.h"
#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

Reply<Pruned> prune(Connection& connection, const Prune& prune);

}  // namespace holdfast::postgres
