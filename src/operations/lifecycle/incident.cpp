#include "operations/lifecycle/incident.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"

namespace holdfast::op {

void raise_incident(View& view, const InstanceId& id, std::string code, const std::string& detail,
                    const Cause& cause) {
    Instance& instance = view.edit(id);
    instance.incident = true;
    instance.last_error = std::move(code);
    const boost::json::object payload{{"code", *instance.last_error}, {"detail", detail}};
    view.execute(instance, {.type = HistoryType::incident_raised,
                            .payload = json::canonical(payload),
                            .cause = cause});
}

}  // namespace holdfast::op
