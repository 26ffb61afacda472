// The identity provider whose sign-in tokens are accepted: its keys are in a file, which is read
// again when it changes.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_stamp.h"
#include "base/time/clock.h"
#include "http/access/identity.h"
#include "http/access/jwt.h"
#include "http/access/verified_tokens.h"

namespace holdfast::http {

struct IssuerOptions {
    std::string jwks_file;
    JwtPolicy policy;
    std::chrono::milliseconds look_every{2'000};  // at the file, when a token comes
};

// Safe from any thread.
class TokenIssuer {
public:
    // invalid_argument: the file cannot be read, or is no key set.
    static Result<std::unique_ptr<TokenIssuer>> open(IssuerOptions options, const Clock& clock);

    // Absent: the token is refused. Why is in the log, not in the response.
    std::optional<Identity> identify(std::string_view token);

private:
    using Steady = std::chrono::steady_clock;

    TokenIssuer(IssuerOptions options, const Clock& clock)
        : options_(std::move(options)), clock_(clock) {}
    Result<void> read();
    Result<FileStamp> stamp() const;
    VerifyingKeys current_keys();
    std::optional<Identity> verify(std::string_view token, const VerifyingKeys& keys,
                                   Moment now) const;

    const IssuerOptions options_;
    const Clock& clock_;
    std::mutex mutex_;
    VerifyingKeys keys_;
    FileStamp stamp_;
    Steady::time_point looked_at_ = Steady::time_point::min();
    VerifiedTokens verified_;
};

}  // namespace holdfast::http
