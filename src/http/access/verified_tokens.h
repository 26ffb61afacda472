// Whom the tokens of late are for: to check a signature costs far more than to find it here.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/ids/digest.h"
#include "base/time/moment.h"
#include "http/access/identity.h"
#include "http/access/jwks.h"

namespace holdfast::http {

using VerifyingKeys = std::shared_ptr<const std::vector<VerifyingKey>>;

// Safe from any thread. Has only what was verified with one set of keys: another set begins anew.
class VerifiedTokens {
public:
    explicit VerifiedTokens(std::size_t most = 1'024) : most_(most) {}

    // Absent: it has to be verified. `token`: the SHA-256 of all its text.
    std::optional<Identity> find(const Digest& token, const VerifyingKeys& keys, Moment now) const;
    // Verified with `keys`. An identity without an end is not kept.
    void add(const Digest& token, const VerifyingKeys& keys, const Identity& identity, Moment now);

    std::size_t size() const;

private:
    void make_room(Moment now);

    const std::size_t most_;
    mutable std::mutex mutex_;
    VerifyingKeys keys_;
    std::map<Digest, Identity> tokens_;  // each with an end
};

}  // namespace holdfast::http
