#include "http/access/verified_tokens.h"

namespace holdfast::http {

std::optional<Identity> VerifiedTokens::find(const Digest& token, const VerifyingKeys& keys,
                                             Moment now) const {
    const std::lock_guard lock(mutex_);
    if (keys != keys_) return std::nullopt;
    const auto found = tokens_.find(token);
    if (found == tokens_.end() || *found->second.until <= now) return std::nullopt;
    return found->second;
}

void VerifiedTokens::add(const Digest& token, const VerifyingKeys& keys, const Identity& identity,
                         Moment now) {
    if (!identity.until) return;
    const std::lock_guard lock(mutex_);
    if (keys != keys_) tokens_.clear();
    keys_ = keys;
    if (!tokens_.contains(token)) make_room(now);
    tokens_.insert_or_assign(token, identity);
}

std::size_t VerifiedTokens::size() const {
    const std::lock_guard lock(mutex_);
    return tokens_.size();
}

// Whoever is lost is verified once more.
void VerifiedTokens::make_room(Moment now) {
    if (tokens_.size() < most_) return;
    std::erase_if(tokens_, [&](const auto& entry) { return *entry.second.until <= now; });
    if (tokens_.size() >= most_) tokens_.clear();
}

}  // namespace holdfast::http
