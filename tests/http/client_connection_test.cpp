#include "http/wire/client_connection.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>

#include "base/threads/threads.h"
#include "http/wire/server.h"

namespace holdfast::http {
namespace {

using namespace std::chrono_literals;

// Accepts connections one after the other, runs the next script on each, then closes it.
class ScriptedServer {
public:
    using Script = std::function<void(int socket)>;

    explicit ScriptedServer(std::vector<Script> scripts)
        : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(listener_, generic, size), 0);
        EXPECT_EQ(::listen(listener_, 8), 0);
        EXPECT_EQ(::getsockname(listener_, generic, &size), 0);
        url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
        thread_ = named_thread("scripted", [this, scripts](const std::stop_token&) {
            for (const Script& script : scripts) {
                const int socket = ::accept(listener_, nullptr, nullptr);
                script(socket);
                ::close(socket);
            }
        });
    }
    ~ScriptedServer() {
        ::shutdown(listener_, SHUT_RDWR);
        thread_.join();
        ::close(listener_);
    }

    const std::string& url() const { return url_; }

private:
    int listener_;
    std::string url_;
    std::jthread thread_;
};

void receive_head(int socket) {
    std::string head;
    char byte = 0;
    while (!head.ends_with("\r\n\r\n") && ::recv(socket, &byte, 1, 0) == 1) head += byte;
}

void receive_close(int socket) {
    char byte = 0;
    while (::recv(socket, &byte, 1, 0) > 0) {
    }
}

void send_text(int socket, std::string_view text) {
    ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
}

constexpr std::string_view ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// Responds once, then reads a second request and closes without a response.
void answer_then_hang_up(int socket) {
    receive_head(socket);
    send_text(socket, ok);
    receive_head(socket);
}

void answer(int socket) {
    receive_head(socket);
    send_text(socket, ok);
}

ClientConnection connection_to(const std::string& url, ClientOptions options = {}) {
    auto connection = ClientConnection::to(url, options);
    EXPECT_TRUE(connection) << url;
    return std::move(*connection);
}

TEST(ClientConnection, ExchangesOverOneConnection) {
    Server server(
        {}, [](const Request&) { return std::nullopt; },
        [](Request request, Respond respond) {
            Response response{201, {}, std::move(request.body)};
            response.headers.add("X-Given", std::string(*request.headers.find("X-Given")));
            respond(std::move(response));
        });
    ASSERT_TRUE(server.start());
    auto connection = connection_to("http://127.0.0.1:" + std::to_string(server.port()));
    Headers headers;
    headers.add("X-Given", "yes");
    for (const Method method : {Method::post, Method::put, Method::patch, Method::del}) {
        const auto response = connection.exchange(method, "/a?b=c", headers, "body");
        ASSERT_TRUE(response);
        EXPECT_EQ(response->status, 201);
        EXPECT_EQ(response->headers.find("x-given"), "yes");
        EXPECT_EQ(response->body, "body");
    }
    const auto head = connection.exchange(Method::head, "/", headers, "");
    ASSERT_TRUE(head);
    EXPECT_EQ(head->body, "");
}

TEST(ClientConnection, ASafeRequestIsRepeatedOnceAfterASilentClose) {
    ScriptedServer server({answer_then_hang_up, answer});
    auto connection = connection_to(server.url());
    EXPECT_TRUE(connection.exchange(Method::get, "/"));
    const auto second = connection.exchange(Method::get, "/");
    ASSERT_TRUE(second);
    EXPECT_EQ(second->body, "ok");
}

TEST(ClientConnection, AnUnsafeRequestIsNotRepeated) {
    ScriptedServer server({answer_then_hang_up, answer});
    auto connection = connection_to(server.url());
    EXPECT_TRUE(connection.exchange(Method::get, "/"));
    const auto lost = connection.exchange(Method::post, "/");
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::outcome_unknown);
    EXPECT_TRUE(connection.exchange(Method::post, "/"));
}

TEST(ClientConnection, AnUnsafeRequestIsRepeatedWhenTheCallerSaysSo) {
    ScriptedServer server({answer_then_hang_up, answer});
    auto connection = connection_to(server.url());
    EXPECT_TRUE(connection.exchange(Method::get, "/"));
    EXPECT_TRUE(connection.exchange(Method::post, "/", {}, "", Repeat::always));
}

TEST(ClientConnection, ABrokenAnswerIsNotRepeated) {
    const auto break_off = [](int socket) {
        receive_head(socket);
        send_text(socket, ok);
        receive_head(socket);
        send_text(socket, "HTTP/1.1 200 OK\r\nContent-Le");
    };
    ScriptedServer server({break_off, answer});
    auto connection = connection_to(server.url());
    EXPECT_TRUE(connection.exchange(Method::get, "/"));
    const auto lost = connection.exchange(Method::post, "/", {}, "", Repeat::always);
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::outcome_unknown);
    EXPECT_TRUE(connection.exchange(Method::get, "/"));
}

TEST(ClientConnection, ASilentServerTimesOut) {
    ScriptedServer server({receive_close, receive_close});
    auto connection = connection_to(server.url(), {.exchange_time = 30ms});
    EXPECT_EQ(connection.exchange(Method::post, "/").error().code, ErrorCode::outcome_unknown);
    EXPECT_EQ(connection.exchange(Method::get, "/").error().code, ErrorCode::unavailable);
}

TEST(ClientConnection, NobodyListeningIsUnavailable) {
    std::string url;
    {
        ScriptedServer gone({});
        url = gone.url();
    }
    auto connection = connection_to(url);
    EXPECT_EQ(connection.exchange(Method::post, "/").error().code, ErrorCode::unavailable);
}

TEST(ClientConnection, OnlyHttpUrlsAreTaken) {
    EXPECT_TRUE(ClientConnection::to("http://localhost:80/"));
    EXPECT_TRUE(ClientConnection::to("http://[::1]:80"));
    for (const char* usual_port : {"http://localhost", "https://localhost/", "https://[::1]"})
        EXPECT_TRUE(ClientConnection::to(usual_port)) << usual_port;
    for (const char* url :
         {"", "localhost:80", "ftp://localhost:80", "http://", "https://", "http://:80",
          "http://[::1", "http://localhost:x", "http://localhost:80/a", "http://a@b:80"})
        EXPECT_FALSE(ClientConnection::to(url)) << url;
}

TEST(ClientConnection, HeaderInjectionIsNotSent) {
    auto connection = connection_to("http://localhost:1");
    Headers headers;
    headers.add("X", "a\r\nY: b");
    const auto injected = connection.exchange(Method::get, "/", headers);
    EXPECT_EQ(injected.error().code, ErrorCode::invalid_argument);
    const auto split = connection.exchange(Method::get, "/ HTTP/1.1\r\n");
    EXPECT_EQ(split.error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace holdfast::http
