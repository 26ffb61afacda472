#include "attack/attacks.h"

#include <algorithm>

namespace holdfast::testing {

Victim::Victim(std::string url) : url_(std::move(url)) {}

std::uint16_t Victim::port() const {
    return static_cast<std::uint16_t>(std::stoul(url_.substr(url_.rfind(':') + 1)));
}

void Victim::wrong(std::string what) {
    const std::lock_guard lock(mutex_);
    if (complaints_.size() < 20) complaints_.push_back(std::move(what));
}

void Victim::expect(const std::string& what, int status, std::initializer_list<int> allowed,
                    const std::string& body) {
    count(1);
    if (std::ranges::find(allowed, status) == allowed.end())
        wrong(what + ": " + std::to_string(status) + " " + body.substr(0, 300));
}

std::vector<std::string> Victim::complaints() {
    const std::lock_guard lock(mutex_);
    return complaints_;
}

const std::vector<Attack>& all_attacks() {
    static const std::vector<Attack> all = [] {
        std::vector<Attack> attacks = costly_attacks();
        for (Attack& attack : forged_attacks()) attacks.push_back(std::move(attack));
        return attacks;
    }();
    return all;
}

}  // namespace holdfast::testing
