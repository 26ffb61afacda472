// Where a server listens, through what, and whose word it takes for where requests come from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/wire/proxies.h"
#include "http/wire/tls.h"
#include "node/listen_address.h"

namespace holdfast {

struct EntranceSettings {
    std::string listen;
    std::string tls_certificate;  // empty: plain HTTP
    std::string tls_key;
    std::string tls_client_ca;              // empty: clients need no certificate
    std::vector<std::string> behind_proxy;  // addresses
    bool has_credential = false;
    std::string credentials;  // what would be one, for the error
};

struct Entrance {
    ListenAddress listen;
    std::unique_ptr<http::ServerTls> tls;  // null: plain HTTP
    http::Proxies proxies;
};

// invalid_argument: the settings are malformed, or others than the programs of this machine could
// read what is sent, or come in without a credential.
Result<Entrance> open_entrance(const EntranceSettings& settings);

}  // namespace holdfast
