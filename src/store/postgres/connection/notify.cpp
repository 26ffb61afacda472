#include "store/postgres/connection/notify.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "base/json/parse.h"

namespace holdfast::postgres {
namespace {

namespace bj = boost::json;

constexpr std::size_t longest_payload = 7'000;  // the server's limit is below 8000

Announcement everything() { return {.signals = true, .everyone = true, .changes = true}; }

std::string payload_of(const Announcement& announcement, const std::string& sender) {
    bj::object payload;
    payload["from"] = sender;
    if (announcement.signals) payload["signals"] = true;
    if (announcement.due) payload["due"] = to_iso8601(*announcement.due);
    if (announcement.everyone) payload["everyone"] = true;
    if (announcement.changes) payload["changes"] = true;
    if (announcement.follows) payload["follows"] = true;
    bj::array awaken;
    for (const InstanceId& id : announcement.awaken) awaken.emplace_back(to_string(id));
    if (!awaken.empty()) payload["awaken"] = std::move(awaken);
    return json::canonical(payload);
}

bool flag(const bj::object& payload, std::string_view name) {
    const auto* value = payload.if_contains(name);
    return value && value->is_bool() && value->get_bool();
}

// False: the member is invalid.
bool read_due(const bj::object& payload, Announcement& announcement) {
    const auto* value = payload.if_contains("due");
    if (!value) return true;
    if (value->is_string()) announcement.due = parse_iso8601(value->get_string());
    return announcement.due.has_value();
}

bool read_awaken(const bj::object& payload, Announcement& announcement) {
    const auto* value = payload.if_contains("awaken");
    if (!value) return true;
    if (!value->is_array()) return false;
    for (const auto& item : value->get_array()) {
        const auto id = item.is_string() ? parse_id<InstanceId>(item.get_string()) : std::nullopt;
        if (!id) return false;
        announcement.awaken.push_back(*id);
    }
    return true;
}

}  // namespace

std::string encode(const Announcement& announcement, const std::string& sender) {
    std::string payload = payload_of(announcement, sender);
    if (payload.size() <= longest_payload) return payload;
    Announcement shorter = announcement;
    shorter.awaken.clear();
    shorter.everyone = true;
    return payload_of(shorter, sender);
}

std::optional<Announcement> decode_announcement(std::string_view payload, const std::string& self) {
    const auto value = json::parse(payload);
    if (!value || !value->is_object()) return everything();
    const bj::object& object = value->get_object();
    const auto* from = object.if_contains("from");
    if (from && from->is_string() && from->get_string() == self) return std::nullopt;
    Announcement announcement;
    announcement.signals = flag(object, "signals");
    announcement.everyone = flag(object, "everyone");
    announcement.changes = flag(object, "changes");
    announcement.follows = flag(object, "follows");
    const bool valid = read_due(object, announcement) && read_awaken(object, announcement);
    return valid && !announcement.empty() ? announcement : everything();
}

Reply<void> announce(Connection& connection, const Announcement& announcement,
                     const std::string& sender) {
    if (announcement.empty()) return {};
    connection.queue("notify", Parameters().add(encode(announcement, sender)));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    return {};
}

Result<void> listen(const Address& address, const std::string& self,
                    const std::function<void()>& listening,
                    const std::function<void(const Announcement&)>& heard,
                    const std::stop_token& stop) {
    auto connection = Connection::open(address, Role::reader);
    if (!connection) return std::unexpected(to_error(connection.error()));
    (*connection)->queue("listen");
    if (auto done = (*connection)->exchange(); !done)
        return std::unexpected(to_error(done.error()));
    listening();
    const auto take = [&](std::string_view payload) {
        if (const auto announcement = decode_announcement(payload, self)) heard(*announcement);
    };
    if (auto done = (*connection)->take_notifications(take, stop); !done)
        return std::unexpected(to_error(done.error()));
    return {};
}

}  // namespace holdfast::postgres
