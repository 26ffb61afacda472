#include "http/wire/request_reader.h"

#include <algorithm>

#include "http/responses/problem.h"
#include "http/wire/target.h"

namespace holdfast::http {
namespace {

constexpr std::size_t body_reserved = 64 * 1024;  // most that a Content-Length reserves in advance

}  // namespace

RequestReader::RequestReader(const RequestLimits& limits, const Admit& admit)
    : limits_(limits), admit_(admit), in_(limits.head.block), head_reader_(limits.head) {}

void RequestReader::next() {
    head_reader_ = HeadReader(limits_.head);
    in_body_ = false;
    method_ = Method::get;
}

std::optional<std::size_t> RequestReader::body_received() const {
    return in_body_ ? std::optional(request_.body.size()) : std::nullopt;
}

RequestReader::Step RequestReader::advance() {
    if (in_body_) return take_body();
    if (in_.empty()) return NeedsInput{};
    auto head = head_reader_.read(in_.view());
    if (!head) return refuse(std::move(head.error()));
    if (!*head) return NeedsInput{};
    in_.consume((*head)->size);
    return on_head(std::move(**head));
}

RequestReader::Step RequestReader::on_head(RequestHead head) {
    method_ = head.request.method;
    persistence_ = head.persistence;
    if (auto refusal = refusal_of(head.request)) {
        if (head.framing != Framing::none)
            return refuse(std::move(*refusal));  // the body is not read
        return Refused{std::move(*refusal)};
    }
    request_ = std::move(head.request);
    return begin_body(head);
}

std::optional<Response> RequestReader::refusal_of(Request& head) const {
    auto target = parse_target(head.target);
    if (!target) return problem(target.error());
    head.path = std::move(target->path);
    head.query = std::move(target->query);
    return admit_(head);
}

std::size_t RequestReader::body_limit() const {
    if (request_.body_size == BodySize::small) return limits_.small_body;
    const bool large = method_ == Method::put || request_.body_size == BodySize::large;
    return large ? limits_.large_body : limits_.body;
}

RequestReader::Step RequestReader::begin_body(const RequestHead& head) {
    const std::size_t limit = body_limit();
    body_reader_ = BodyReader(head.framing, head.content_length, limit);
    in_body_ = true;
    request_.body.reserve(std::min<std::size_t>({head.content_length, limit, body_reserved}));
    const bool too_large = head.content_length > limit;  // the client gets 413 instead of 100
    if (head.expectation == Expectation::to_continue && in_.empty() && !too_large)
        return AwaitsContinue{};
    return take_body();
}

RequestReader::Step RequestReader::take_body() {
    auto used = body_reader_.read(in_.view(), request_.body);
    if (!used) return refuse(std::move(used.error()));
    in_.consume(*used);
    if (!body_reader_.is_done()) return NeedsInput{};
    return Complete{std::move(request_)};
}

// The start of the next request is unknown, so the connection must close.
RequestReader::Step RequestReader::refuse(Response response) {
    must_close();
    return Refused{std::move(response)};
}

}  // namespace holdfast::http
