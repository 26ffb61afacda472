// Tells by the credential of a request whose it is.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "http/access/failed_sign_ins.h"
#include "http/access/key_ring.h"
#include "http/access/token_issuer.h"
#include "http/wire/message.h"

namespace holdfast::http {

struct CredentialOptions {
    // Whether everybody who reaches the server is a local admin, as long as there is no credential.
    bool is_local = true;
    std::optional<std::string> token = {};  // of the token file; never empty
    KeyRing* keys = nullptr;                // null: there are no API keys
    TokenIssuer* issuer = nullptr;          // null: there are no sign-in tokens
    FailedSignIns* failures = nullptr;      // null: nobody is slowed down
    // What the demo of this process sends: an operator and worker. Nobody else knows it.
    std::optional<std::string> demo = {};
};

// Safe from any thread.
class Credentials {
public:
    explicit Credentials(const CredentialOptions& options);

    // 401: the request carries no valid credential, and needs one; 429: its address has sent too
    // many wrong ones.
    std::expected<Identity, Response> identify(const Request& head) const;
    // The same of the text of a key or a token.
    std::expected<Identity, Response> identify(std::string_view presented,
                                               const std::string& address) const;
    // Who a session or a link is for.
    static Identity identity_of(const ApiKey& key);
    // Whether this address has sent so many wrong ones that it has to wait.
    bool has_to_wait(const std::string& address) const;
    // Somebody at this address has sent something wrong that is no credential of a request.
    void note_failure(const std::string& address) const;
    // Of the token file. Absent: there is none.
    const std::optional<Digest>& token() const { return token_; }
    // Whether requests need one: nobody but programs of this machine can send them otherwise.
    bool are_needed() const;
    // Whether the key of a refused request may be one that this node does not know of yet.
    bool may_learn_of(const Request& head) const;
    // Whether the keys are known well enough for a request of this identity; none: not yet known.
    bool knows_keys(const Identity& identity) const;
    // Asks the store for the keys, then goes on. 503: it cannot be asked.
    void learn_keys(Respond respond, std::move_only_function<void(Respond)> go_on) const;

private:
    std::optional<Identity> find(std::string_view presented, const Digest& digest) const;
    bool is_token(const Digest& digest) const;
    std::expected<Identity, Response> identify_session(std::string_view session) const;

    const bool is_local_;
    const std::optional<Digest> token_;
    KeyRing* const keys_;
    TokenIssuer* const issuer_;
    FailedSignIns* const failures_;
    const std::optional<Digest> demo_;
};

}  // namespace holdfast::http
