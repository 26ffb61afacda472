// The stories of the demo: an order with a payment that may time out, an expense that people
// approve, a trip that is undone when the card is declined, and a parcel (a BPMN process).
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/wire/client_connection.h"

namespace holdfast::app {

// Requests to the demo's own server. Failures are not repeated: the next round looks again.
class DemoCalls {
public:
    DemoCalls(const std::string& url, std::string token);

    // Absent: refused or lost.
    std::optional<boost::json::value> get(const std::string& path);
    std::optional<boost::json::value> send(http::Method method, const std::string& path,
                                           const boost::json::value& body);
    bool deploy(std::string_view model);

private:
    std::optional<boost::json::value> call(http::Method method, const std::string& path,
                                           std::string_view type, std::string_view body);

    Result<http::ClientConnection> connection_;
    std::string token_;
};

struct DemoStory {
    std::string_view definition;
    void (*start)(DemoCalls& calls);
    void (*act)(DemoCalls& calls, const boost::json::object& workflow);
};

std::span<const DemoStory> demo_stories();
// Whether somebody would do the next thing now: after a pause that differs from one to the other.
bool is_due(const boost::json::object& workflow);
// Defines what the stories need; false: not yet.
bool prepare_stories(DemoCalls& calls);

}  // namespace holdfast::app
