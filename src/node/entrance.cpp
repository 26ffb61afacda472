#include "node/entrance.h"

namespace holdfast {
namespace {

// Null: plain HTTP.
Result<std::unique_ptr<http::ServerTls>> open_tls(const EntranceSettings& settings) {
    if (settings.tls_certificate.empty() && settings.tls_key.empty() &&
        settings.tls_client_ca.empty())
        return nullptr;
    if (settings.tls_certificate.empty() || settings.tls_key.empty())
        return fail(ErrorCode::invalid_argument,
                    "TLS needs both --tls-certificate and --tls-key: the server's certificate and "
                    "its private key, files in PEM");
    return http::ServerTls::open({.certificate = settings.tls_certificate,
                                  .key = settings.tls_key,
                                  .client_ca = settings.tls_client_ca});
}

}  // namespace

Result<Entrance> open_entrance(const EntranceSettings& settings) {
    Entrance entrance;
    HF_TRY(entrance.listen, parse_listen(settings.listen));
    HF_TRY(entrance.tls, open_tls(settings));
    HF_TRY(entrance.proxies, http::Proxies::parse(settings.behind_proxy));
    const bool has_proxy = !entrance.proxies.empty();
    const std::string place = "listen address " + settings.listen;
    if (entrance.listen.reach == http::Reach::network && !entrance.tls && !has_proxy)
        return fail(ErrorCode::invalid_argument,
                    place +
                        " is reachable from the network, where plain HTTP can be read on its way: "
                        "give --tls-certificate and --tls-key, or --behind-proxy with the "
                        "addresses of the proxy that speaks TLS; or listen on 127.0.0.1");
    // Who comes through the proxy does not come from this machine.
    if (has_proxy) entrance.listen.reach = http::Reach::network;
    if (entrance.listen.reach == http::Reach::network && !settings.has_credential)
        return fail(ErrorCode::invalid_argument,
                    (has_proxy ? "a server behind a proxy" : place) +
                        " is reachable from the network and needs " + settings.credentials +
                        "; without a credential, " +
                        (has_proxy ? "leave out --behind-proxy" : "listen on 127.0.0.1"));
    return entrance;
}

}  // namespace holdfast
