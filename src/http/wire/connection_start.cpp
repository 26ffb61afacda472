// How a connection begins: with a handshake if it is through TLS.
#include <openssl/sslerr.h>

#include "base/log.h"
#include "http/responses/problem.h"
#include "http/wire/connection.h"

namespace holdfast::http {
namespace {

bool is_plain_http(error_code error) {
    return error.category() == asio::error::get_ssl_category() &&
           ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_HTTP_REQUEST;
}

// A peer of this machine may be a proxy that is not among ours.
Scheme scheme_of(const Channel& channel, const Peer& peer) {
    if (channel.is_secure()) return Scheme::https;
    return peer.origin == Origin::loopback ? Scheme::unknown : Scheme::http;
}

Response too_many_connections() {
    Response full = problem(503, "too-many-connections", "Too many connections",
                            "the server's connection limit is reached; close idle connections or "
                            "retry later");
    full.headers.add("Retry-After", "1");
    return full;
}

Response https_only() {
    return problem(400, "https-only", "HTTPS only",
                   "this server speaks HTTPS here; begin its address with https://");
}

}  // namespace

Connection::Connection(std::shared_ptr<Loop> loop, Channel channel, Peer peer,
                       ConnectionQuota::Verdict verdict)
    : loop_(std::move(loop)),
      channel_(std::move(channel)),
      peer_(std::move(peer)),
      verdict_(verdict),
      admit_([this](Request& head) { return admit(head); }),
      reader_(options().requests, admit_) {}

std::optional<Response> Connection::admit(Request& head) const {
    head.sender = options().proxies.sender_of(peer_, scheme_of(channel_, peer_), head.headers);
    return loop_->shared().admit(head);
}

void Connection::start() {
    error_code ignored;
    channel_.socket().set_option(tcp::no_delay(true), ignored);
    channel_.is_secure() ? shake_hands() : begin_serving();
}

void Connection::shake_hands() {
    std::atomic<std::size_t>& going_on = loop_->shared().handshakes;
    if (going_on >= options().handshakes) return close();
    ++going_on;
    deadline_ = std::chrono::steady_clock::now() + options().head_time;
    channel_.shake_hands([self = shared_from_this(), &going_on](error_code error) {
        --going_on;
        self->on_handshake(error);
    });
}

void Connection::on_handshake(error_code error) {
    if (phase_ != Phase::open) return;
    if (!error) return begin_serving();
    log::debug("tls.handshake_failed", {{"peer", peer_.address}, {"message", error.message()}});
    if (!is_plain_http(error)) return close();
    channel_.give_up_tls();
    answer(begin(Method::get, Persistence::close, 0), https_only());
}

void Connection::begin_serving() {
    if (verdict_ == ConnectionQuota::Verdict::serve) {
        deadline_ = std::chrono::steady_clock::now() + options().head_time;
        return read_more();
    }
    answer(begin(Method::get, Persistence::close, 0), too_many_connections());
}

}  // namespace holdfast::http
