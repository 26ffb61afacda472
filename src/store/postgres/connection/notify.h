// Announcements between nodes, sent with NOTIFY.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "store/nodes.h"
#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// Small JSON; if the list of instances is too long, it becomes `everyone`.
std::string encode(const Announcement& announcement, const std::string& sender);
// Absent: sent by `self`. An invalid payload counts as an announcement of everything.
std::optional<Announcement> decode_announcement(std::string_view payload, const std::string& self);

Reply<void> announce(Connection& connection, const Announcement& announcement,
                     const std::string& sender);

// Listens on its own connection until `stop` or until the connection is lost.
Result<void> listen(const Address& address, const std::string& self,
                    const std::function<void()>& listening,
                    const std::function<void(const Announcement&)>& heard,
                    const std::stop_token& stop);

}  // namespace holdfast::postgres
