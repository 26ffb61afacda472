// Announcements between nodes, as notifications of the server.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "store/nodes.h"
#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// Small JSON; too many names become everyone.
std::string encode(const Announcement& announcement, const std::string& sender);
// Absent: it came from `self`. What is not understood counts as everything.
std::optional<Announcement> decode_announcement(std::string_view payload, const std::string& self);

Reply<void> announce(Connection& connection, const Announcement& announcement,
                     const std::string& sender);

// On a connection of its own, until `stop` or until it is lost.
Result<void> listen(const Address& address, const std::string& self,
                    const std::function<void()>& listening,
                    const std::function<void(const Announcement&)>& heard,
                    const std::stop_token& stop);

}  // namespace holdfast::postgres
