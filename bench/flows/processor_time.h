// What processes have cost.
#pragma once

namespace holdfast::bench {

// Of this process and of those that it started, a database server among them.
double processor_seconds();

}  // namespace holdfast::bench
