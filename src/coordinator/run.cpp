#include "coordinator/run.h"

#include "coordinator/refusals.h"

namespace holdfast::op {

Overtaken overtaken(const Instance& instance) {
    return {{instance.run, instance.index}, instance.status};
}

boost::json::object to_json(const Run& run) { return {{"run", run.run}, {"index", run.index}}; }

boost::json::object to_json(const Overtaken& outcome) {
    return named("overtaken", {{"run", outcome.current.run},
                               {"index", outcome.current.index},
                               {"status", name_of(outcome.status)}});
}

}  // namespace holdfast::op
