#include "http/wire/request_reader.h"

#include <gtest/gtest.h>

namespace holdfast::http {
namespace {

using Outcomes =
    std::vector<std::string>;  // "status" of refusals, "METHOD target|body" of requests

// Reads all of `bytes`, passed in pieces of `piece` bytes.
Outcomes read(std::string_view bytes, std::size_t piece, const RequestLimits& limits = {}) {
    const Admit everybody = [](const Request&) { return std::nullopt; };
    RequestReader reader(limits, everybody);
    Outcomes outcomes;
    for (;;) {
        auto step = reader.advance();
        if (const auto* refused = std::get_if<RequestReader::Refused>(&step)) {
            outcomes.push_back(std::to_string(refused->response.status));
            if (reader.persistence() == Persistence::close) return outcomes;
            reader.next();
        } else if (const auto* complete = std::get_if<RequestReader::Complete>(&step)) {
            const Request& request = complete->request;
            outcomes.push_back(std::string(name_of(request.method)) + " " + request.target + "|" +
                               request.body);
            if (reader.persistence() == Persistence::close) return outcomes;
            reader.next();
        } else if (bytes.empty()) {
            return outcomes;
        } else {
            const auto space = reader.input().free_space();
            const std::size_t count = bytes.copy(space.data(), std::min(space.size(), piece));
            reader.input().received(count);
            bytes.remove_prefix(count);
        }
    }
}

// The result is the same for every piece size.
void expect(std::string_view bytes, const Outcomes& expected) {
    for (const std::size_t piece : {1u, 2u, 3u, 5u, 7u, 64u, 100'000u})
        EXPECT_EQ(read(bytes, piece), expected) << "in pieces of " << piece << ":\n" << bytes;
}

TEST(RequestReader, AnAdmittedRequestIsReadWhole) {
    expect("POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", {"POST /a|hello"});
}

TEST(RequestReader, RequestsFollowEachOther) {
    expect(
        "POST /a HTTP/1.1\r\nContent-Length: 1\r\n\r\nx"
        "GET /b HTTP/1.1\r\n\r\n"
        "PUT /c HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\ny\r\n0\r\n\r\n"
        "GET /d HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
        {"POST /a|x", "GET /b|", "PUT /c|y", "GET /d|"});
}

TEST(RequestReader, ABodyOfAGetIsNotTheNextRequest) {
    expect("GET /a HTTP/1.1\r\nContent-Length: 18\r\n\r\nGET /b HTTP/1.1\r\n\r",
           {"GET /a|GET /b HTTP/1.1\r\n\r"});
}

TEST(RequestReader, ChunkExtensionsAndTrailersAreDropped) {
    expect(
        "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        "5;name=value\r\nhello\r\n06 ; x\r\n world\r\n000\r\nHost: evil\r\nX: y\r\n\r\n",
        {"POST /a|hello world"});
}

TEST(RequestReader, AVersionOrTheConnectionHeaderClosesTheConnection) {
    expect("GET /a HTTP/1.0\r\n\r\nGET /b HTTP/1.1\r\n\r\n", {"GET /a|"});
    expect("GET /a HTTP/1.1\r\nConnection: x, Close\r\n\r\nGET /b HTTP/1.1\r\n\r\n", {"GET /a|"});
    expect("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /b HTTP/1.1\r\n\r\n",
           {"GET /a|", "GET /b|"});
}

TEST(RequestReader, ABadTargetEndsOnlyItsRequest) {
    expect("GET /a/../b HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n", {"400", "GET /b|"});
}

TEST(RequestReader, AnotherVersionIsNotSupported) { expect("GET / HTTP/2.0\r\n\r\n", {"505"}); }

TEST(RequestReader, AnotherExpectationFails) {
    expect("POST / HTTP/1.1\r\nContent-Length: 1\r\nExpect: tea\r\n\r\n", {"417"});
}

class Smuggled : public ::testing::TestWithParam<std::string> {};

TEST_P(Smuggled, IsRefusedAndClosesTheConnection) { expect(GetParam(), {"400"}); }

std::string with_header(const std::string& header) {
    return "POST /a HTTP/1.1\r\nHost: x\r\n" + header + "\r\n\r\nGET /b HTTP/1.1\r\n\r\n";
}

std::string with_chunks(const std::string& chunks) {
    return "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks +
           "GET /b HTTP/1.1\r\n\r\n";
}

INSTANTIATE_TEST_SUITE_P(RequestLines, Smuggled,
                         ::testing::Values("GET / HTTP/1.1\n\n", "GET / HTTP/1.1\nHost: x\r\n\r\n",
                                           "\r\nGET / HTTP/1.1\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n",
                                           "GET /  HTTP/1.1\r\n\r\n", "GET / HTTP/1.1 \r\n\r\n",
                                           " GET / HTTP/1.1\r\n\r\n", "G(T / HTTP/1.1\r\n\r\n",
                                           "GET /\r\n\r\n", "GET\t/\tHTTP/1.1\r\n\r\n",
                                           "GET / http/1.1\r\n\r\n", "GET / HTTP/11\r\n\r\n",
                                           "GET /\x01 HTTP/1.1\r\n\r\n",
                                           "GET /\rx HTTP/1.1\r\n\r\n", "\n", "/\r\n\r\n"));

INSTANTIATE_TEST_SUITE_P(
    Headers, Smuggled,
    ::testing::Values(
        with_header("Content-Length: 3\r\nTransfer-Encoding: chunked"),
        with_header("Transfer-Encoding: chunked\r\nContent-Length: 3"),
        with_header("Content-Length: 3\r\nContent-Length: 3"),
        with_header("Content-Length: 3\r\nContent-Length: 4"), with_header("Content-Length: 3, 3"),
        with_header("Content-Length: +3"), with_header("Content-Length: -3"),
        with_header("Content-Length: 0x3"), with_header("Content-Length: 3 3"),
        with_header("Content-Length:"), with_header("Content-Length: 99999999999999999999999"),
        with_header("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        with_header("Transfer-Encoding: gzip, chunked"), with_header("Transfer-Encoding: xchunked"),
        with_header("Transfer-Encoding: identity"),
        with_header("Transfer-Encoding: chunked, identity"),
        with_header("Transfer-Encoding:\x0b"
                    "chunked"),
        with_header("Transfer-Encoding : chunked"), with_header("Content-Length : 3"),
        with_header(" Content-Length: 3"), with_header("X: a\r\n b"), with_header("X: a\r\n\tb"),
        with_header("X: a\nContent-Length: 3"), with_header("X: a\rb"), with_header("X"),
        with_header(": x"), with_header("X\x80: y"), with_header(std::string("X: a\0b", 6)),
        "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));

INSTANTIATE_TEST_SUITE_P(
    Chunks, Smuggled,
    ::testing::Values(with_chunks("\r\n"), with_chunks("x\r\n"), with_chunks("-1\r\n"),
                      with_chunks("0x1\r\na\r\n"), with_chunks("1 1\r\na\r\n"),
                      with_chunks("1\na\r\n"), with_chunks("1\r\nab\r\n"),
                      with_chunks("1\r\na\n0\r\n\r\n"), with_chunks("1\r\na0\r\n\r\n"),
                      with_chunks("fffffffffffffffff\r\n"), with_chunks("1;\rx\r\na\r\n"),
                      with_chunks("0\r\nX: y\n\r\n"),
                      with_chunks("1;" + std::string(2000, 'x') + "\r\na\r\n"),
                      with_chunks("0\r\n" + std::string(2000, 'x') + "\r\n\r\n")));

TEST(RequestReader, LimitsHoldToTheByte) {
    const auto with_target = [](std::size_t size) {
        return read("GET /" + std::string(size - 1, 'a') + " HTTP/1.1\r\n\r\n", 1000).front();
    };
    EXPECT_TRUE(with_target(8 * 1024).starts_with("GET /a"));
    EXPECT_EQ(with_target(8 * 1024 + 1), "414");

    const auto with_head = [](std::size_t size) {
        const std::string line = "GET / HTTP/1.1\r\nX: ";
        return read(line + std::string(size - line.size() - 4, 'a') + "\r\n\r\n", 1000).front();
    };
    EXPECT_EQ(with_head(16 * 1024), "GET /|");
    EXPECT_EQ(with_head(16 * 1024 + 1), "431");

    const auto with_fields = [](int count) {
        std::string bytes = "GET / HTTP/1.1\r\n";
        for (int i = 0; i < count; ++i) bytes += "X: y\r\n";
        return read(bytes + "\r\n", 1000).front();
    };
    EXPECT_EQ(with_fields(100), "GET /|");
    EXPECT_EQ(with_fields(101), "431");
}

TEST(RequestReader, BodiesHaveALimitThatIsLargerForPut) {
    const RequestLimits limits{.head = {}, .body = 4, .large_body = 5};
    const auto outcome = [&](const std::string& bytes) { return read(bytes, 7, limits).front(); };
    EXPECT_EQ(outcome("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n1234"), "POST /|1234");
    EXPECT_EQ(outcome("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n12345"), "413");
    EXPECT_EQ(outcome("PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\n12345"), "PUT /|12345");
    EXPECT_EQ(outcome("PUT / HTTP/1.1\r\nContent-Length: 6\r\n\r\n"), "413");
    const std::string chunked = " / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n123\r\n";
    EXPECT_EQ(outcome("POST" + chunked + "1\r\n4\r\n0\r\n\r\n"), "POST /|1234");
    EXPECT_EQ(outcome("POST" + chunked + "2\r\n45\r\n0\r\n\r\n"), "413");
    EXPECT_EQ(outcome("PUT" + chunked + "ffffffff\r\n"), "413");
}

}  // namespace
}  // namespace holdfast::http
