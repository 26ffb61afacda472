// Legal models of random shape: blocks of all kinds inside of each other, some of them joined in
// ways that let tokens multiply or wait for ever.
#pragma once

#include "engine/walks/graph.h"
#include "sim/random.h"

namespace holdfast::walks {

Graph random_model(sim::Random& random);

}  // namespace holdfast::walks
