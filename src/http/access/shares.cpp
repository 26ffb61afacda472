#include "http/access/shares.h"

namespace holdfast::http {
namespace {

// The sessions of a user share what its key has, and each user of an identity provider has its own.
std::string owner_of(const Identity& identity) {
    const bool is_session = identity.kind == CredentialKind::session;
    return (is_session ? identity.parent : identity.credential) + '\n' + identity.caller.user;
}

}  // namespace

Shares::Taken Shares::take(const Identity& identity, Share what) {
    // The local admin, the token of the file, the demo: many programs have the same one.
    if (identity.caller.user.empty()) return std::make_shared<int>();
    const Owner owner{owner_of(identity), what};
    const std::lock_guard lock(open_->mutex);
    std::size_t& count = open_->counts[owner];
    if (count >= limit(what)) return nullptr;
    ++count;
    return {this, [open = open_, owner](const void*) {
                const std::lock_guard release(open->mutex);
                const auto found = open->counts.find(owner);
                if (--found->second == 0) open->counts.erase(found);
            }};
}

std::size_t Shares::count() const {
    const std::lock_guard lock(open_->mutex);
    return open_->counts.size();
}

}  // namespace holdfast::http
