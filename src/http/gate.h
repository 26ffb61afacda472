// Admits requests: the Host allow-list (against DNS rebinding), the credential, and the site that a
// browser sends a change for (against cross-site request forgery).
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/wire/message.h"

namespace holdfast::http {

class Credentials;

// `page`: a file of the dashboard or the description of the API, which have no data; open like a
// probe.
enum class Access { open, page, guarded };

// Where the server listens. On loopback its usual names are allowed by default.
enum class Reach { loopback, network };

struct GateOptions {
    Reach reach = Reach::loopback;
    // Additional names, without a port; IPv6 in brackets. Empty on the network with a token: any
    // Host is allowed, because a page that uses DNS rebinding does not know the token.
    std::vector<std::string> host_names;
    std::optional<std::string> token;  // of the token file; never empty
    // Absent: the token is the only one, or none is needed on loopback.
    std::shared_ptr<const Credentials> credentials = {};
};

// A value; safe from any thread.
class Gate {
public:
    explicit Gate(GateOptions options = {});

    // 400: no Host or several; 421: a Host that is not allowed. Absent: admitted.
    std::optional<Response> check_host(const Headers& headers) const;
    // Whose request it is. 401: it carries no valid credential.
    std::expected<Identity, Response> identify(const Request& head) const;
    const Credentials& credentials() const { return *credentials_; }
    // 403: the cookie of a session comes with a request that a browser sends for a page of another
    // site, or with a change that does not say for which. Absent: admitted.
    static std::optional<Response> check_cookie(const Request& head);
    // 403: a browser sends this change for a page of another site; 415: as a form, which any page
    // can send without the browser asking first, or compressed. Absent: admitted.
    static std::optional<Response> check_site(const Request& head);

private:
    bool allows(std::string_view host_name) const;

    std::vector<std::string> host_names_;
    bool any_host_ = false;
    std::shared_ptr<const Credentials> credentials_;
};

}  // namespace holdfast::http
