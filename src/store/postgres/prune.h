// One batch of what retention may delete.
#pragma once

#include "store/nodes.h"
#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

Reply<Pruned> prune(Connection& connection, const Prune& prune);

}  // namespace holdfast::postgres
