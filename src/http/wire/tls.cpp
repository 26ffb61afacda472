#include "http/wire/tls.h"

#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>

#include "base/log.h"

namespace holdfast::http {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

// Of TLS 1.2: forward secrecy and authenticated encryption only. TLS 1.3 has no others.
constexpr const char* suites =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr const char* groups = "X25519:P-256:P-384";
constexpr int security_level = 2;  // 112 bits: RSA from 2048 bits, no SHA-1

std::unexpected<Error> refuse(const std::string& flag, const std::string& path,
                              const std::string& why) {
    return fail(ErrorCode::invalid_argument, flag + " " + path + " " + why);
}

// A policy of the system may be weaker or stronger than ours; ours is the same everywhere.
void set_policy(ssl::context& context) {
    SSL_CTX* const native = context.native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    SSL_CTX_set_max_proto_version(native, 0);
    SSL_CTX_set_security_level(native, security_level);
    SSL_CTX_set_cipher_list(native, suites);
    SSL_CTX_set1_groups_list(native, groups);
    SSL_CTX_set_options(native,
                        SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);  // an idle connection holds none
    // Resumption is by tickets: the server keeps nothing.
    SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
    // Without it, OpenSSL would ask for the password of a key on the terminal.
    context.set_password_callback(
        [](std::size_t, ssl::context::password_purpose) { return std::string(); });
}

struct KeyFlags {
    std::string certificate;
    std::string key;
};

// With what this side shows that it is who it says.
Result<void> use_certificate(ssl::context& context, const KeyFlags& flags,
                             const std::string& certificate, const std::string& key) {
    error_code error;
    if (context.use_certificate_chain_file(certificate, error))
        return refuse(flags.certificate, certificate,
                      "cannot be used: " + error.message() +
                          "; it must hold certificates in PEM, the own one first, of at least 2048 "
                          "bits (RSA) or 256 bits (EC)");
    if (context.use_private_key_file(key, ssl::context::pem, error))
        return refuse(flags.key, key,
                      "cannot be used: " + error.message() +
                          "; it must hold the private key of the certificate in PEM, without a "
                          "password");
    return {};
}

Result<void> require_clients_of(ssl::context& context, const std::string& ca) {
    error_code error;
    if (context.load_verify_file(ca, error))
        return refuse("--tls-client-ca", ca,
                      "cannot be used: " + error.message() +
                          "; it must hold the certificates of authorities in PEM");
    SSL_CTX* const native = context.native_handle();
    SSL_CTX_set_client_CA_list(native, SSL_load_client_CA_file(ca.c_str()));
    context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
    constexpr unsigned char name[] = "holdfast";
    SSL_CTX_set_session_id_context(native, name, sizeof name - 1);
    return {};
}

}  // namespace

Result<std::unique_ptr<ServerTls>> ServerTls::open(ServerTlsFiles files) {
    std::unique_ptr<ServerTls> tls(new ServerTls(std::move(files)));
    HF_CHECK(tls->read_if_changed());
    return tls;
}

Result<ServerTls::Stamps> ServerTls::stamps() const {
    const auto certificate = stamp_of(files_.certificate);
    if (!certificate) return refuse("--tls-certificate", files_.certificate, "cannot be read");
    const auto key = stamp_of(files_.key);
    if (!key) return refuse("--tls-key", files_.key, "cannot be read");
    if (key->mode & (S_IROTH | S_IWOTH))
        return refuse(
            "--tls-key", files_.key,
            "can be read or written by every user of this machine; run: chmod 600 " + files_.key);
    Stamps stamps{*certificate, *key};
    if (files_.client_ca.empty()) return stamps;
    const auto authorities = stamp_of(files_.client_ca);
    if (!authorities) return refuse("--tls-client-ca", files_.client_ca, "cannot be read");
    stamps.push_back(*authorities);
    return stamps;
}

Result<TlsContext> ServerTls::read() const {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
    set_policy(*context);
    HF_CHECK(use_certificate(*context, {.certificate = "--tls-certificate", .key = "--tls-key"},
                             files_.certificate, files_.key));
    if (!files_.client_ca.empty()) HF_CHECK(require_clients_of(*context, files_.client_ca));
    return context;
}

// A broken set of files is noted as seen: it is read again once it has changed again.
Result<void> ServerTls::read_if_changed() {
    looked_at_ = Steady::now();
    HF_TRY(Stamps now, stamps());
    if (context_ && now == stamps_) return {};
    stamps_ = std::move(now);
    HF_TRY(auto context, read());
    if (context_) log::info("tls.reloaded", {{"certificate", files_.certificate}});
    context_ = std::move(context);
    return {};
}

TlsContext ServerTls::current() {
    const std::lock_guard lock(mutex_);
    if (Steady::now() - looked_at_ >= files_.look_every)
        if (const auto done = read_if_changed(); !done)
            log::error("tls.not_read", {{"message", done.error().message}});
    return context_;
}

void ServerTls::reload() {
    const std::lock_guard lock(mutex_);
    stamps_.clear();
    if (const auto done = read_if_changed(); !done)
        log::error("tls.not_read", {{"message", done.error().message}});
}

Result<TlsContext> client_tls(const ClientTlsFiles& files) {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_client);
    set_policy(*context);
    context->set_verify_mode(ssl::verify_peer);
    error_code error;
    if (files.ca.empty())
        context->set_default_verify_paths(error);
    else
        context->load_verify_file(files.ca, error);
    if (error)
        return refuse("--ca", files.ca,
                      "cannot be used: " + error.message() +
                          "; it must hold the certificates of authorities in PEM");
    if (files.certificate.empty()) return context;
    HF_CHECK(use_certificate(*context,
                             {.certificate = "--client-certificate", .key = "--client-key"},
                             files.certificate, files.key.empty() ? files.certificate : files.key));
    return context;
}

}  // namespace holdfast::http
