#include "operations/lifecycle/incident.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"

namespace holdfast::op {

std::string reason_payload(const std::string& reason) {
    if (reason.empty()) return "null";
    return json::canonical(boost::json::object{{"reason", reason}});
}

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
