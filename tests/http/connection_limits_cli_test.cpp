// The limits of connections and streams are settings.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include "http/wire/client_connection.h"
#include "support/eventually.h"
#include "support/server_client.h"
#include "support/server_process.h"

namespace holdfast::testing {
namespace {

// Holds one stream open until it is destroyed.
class OpenStream {
public:
    explicit OpenStream(const std::string& url)
        : thread_([this, url] {
              auto link = *http::ClientConnection::to(url);
              const auto answer = link.follow("/api/v1/stream", {}, [this](std::string_view) {
                  begun_ = true;
                  return !over_;
              });
              status_ = answer ? answer->status : -1;
          }) {}
    ~OpenStream() { over_ = true; }

    bool has_begun() const {
        return eventually([this] { return begun_.load(); });
    }
    int status() {
        thread_.join();
        return status_;
    }

private:
    std::atomic<bool> begun_ = false;
    std::atomic<bool> over_ = false;
    int status_ = 0;
    std::jthread thread_;
};

TEST(ConnectionLimits, AStreamBeyondTheSettingIsRefused) {
    ServerProcess server("memory:", {"--max-streams", "2"});
    OpenStream first(server.url());
    OpenStream second(server.url());
    ASSERT_TRUE(first.has_begun());
    ASSERT_TRUE(second.has_begun());
    EXPECT_EQ(OpenStream(server.url()).status(), 429);
    EXPECT_EQ(server.terminate(), 0);
}

TEST(ConnectionLimits, AConnectionBeyondTheSettingIsRefused) {
    ServerProcess server("memory:", {"--max-connections", "2"});
    ServerClient first(server.url());
    ServerClient second(server.url());
    EXPECT_EQ(first.get("/healthz")->status, 200);
    EXPECT_EQ(second.get("/healthz")->status, 200);
    const auto refused = ServerClient(server.url()).get("/healthz");
    ASSERT_TRUE(refused) << refused.error().message;
    EXPECT_EQ(refused->status, 503);
    EXPECT_EQ(refused->problem(), "too-many-connections");
}

// What this process and those that it starts may open.
class FewFiles {
public:
    FewFiles() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        rlimit few = before_;
        few.rlim_cur = 1'024;
        ::setrlimit(RLIMIT_NOFILE, &few);
    }
    ~FewFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    FewFiles(const FewFiles&) = delete;
    FewFiles& operator=(const FewFiles&) = delete;

private:
    rlimit before_{};
};

TEST(ConnectionLimits, TheLimitOfOpenFilesFollowsTheSetting) {
    const FewFiles few;
    ServerProcess server("memory:", {"--max-connections", "1500"});
    const auto first = ServerClient(server.url()).get("/healthz");
    ASSERT_TRUE(first) << first.error().message;
    std::ifstream limits("/proc/" + std::to_string(server.pid()) + "/limits");
    std::string line;
    while (std::getline(limits, line) && !line.starts_with("Max open files")) {
    }
    std::istringstream numbers(line.substr(std::min(line.size(), std::size_t{14})));
    std::size_t soft = 0;
    numbers >> soft;
    EXPECT_EQ(soft, 1'500u + 256) << line;
}

}  // namespace
}  // namespace holdfast::testing
