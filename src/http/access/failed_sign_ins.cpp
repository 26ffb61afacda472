#include "http/access/failed_sign_ins.h"

#include <arpa/inet.h>

#include <algorithm>

namespace holdfast::http {

std::string FailedSignIns::place_of(const std::string& address) {
    in6_addr bytes{};
    if (::inet_pton(AF_INET6, address.c_str(), &bytes) != 1) return address;
    if (IN6_IS_ADDR_V4MAPPED(&bytes)) return address;
    return {reinterpret_cast<const char*>(&bytes), sizeof bytes / 2};
}

void FailedSignIns::make_room(Moment now) {
    std::erase_if(forgotten_at_, [now](const auto& item) { return item.second <= now; });
    if (forgotten_at_.size() < limits_.addresses) return;
    forgotten_at_.erase(
        std::ranges::min_element(forgotten_at_, {}, [](const auto& item) { return item.second; }));
}

void FailedSignIns::add(const std::string& address) {
    if (told_) told_(address);
    const std::string place = place_of(address);
    const Moment now = clock_.now();
    const std::lock_guard lock(mutex_);
    any_ = true;
    auto found = forgotten_at_.find(place);
    if (found == forgotten_at_.end()) {
        if (forgotten_at_.size() >= limits_.addresses) make_room(now);
        found = forgotten_at_.emplace(place, now).first;
    }
    // What is refused while it waits does not make it wait longer than for one of them.
    const Moment latest = now + limits_.each * (limits_.at_once + 1);
    found->second = std::min(std::max(found->second, now) + limits_.each, latest);
}

std::size_t FailedSignIns::count() const {
    const std::lock_guard lock(mutex_);
    return forgotten_at_.size();
}

std::chrono::seconds FailedSignIns::wait(const std::string& address) const {
    if (!any_) return std::chrono::seconds(0);
    const std::lock_guard lock(mutex_);
    const auto found = forgotten_at_.find(place_of(address));
    if (found == forgotten_at_.end()) return std::chrono::seconds(0);
    const auto over = found->second - clock_.now() - limits_.each * limits_.at_once;
    return std::max(std::chrono::ceil<std::chrono::seconds>(over), std::chrono::seconds(0));
}

}  // namespace holdfast::http
