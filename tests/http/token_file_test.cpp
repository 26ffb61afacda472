// The server's token file: what cannot be sent as a token, or can be changed by anybody, is
// refused.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "http/wire/client_connection.h"
#include "support/server_process.h"

namespace holdfast::testing {
namespace {

class TokenFile : public ::testing::Test {
protected:
    TokenFile() {
        std::string folder = std::filesystem::temp_directory_path() / "holdfast-token-XXXXXX";
        folder_ = ::mkdtemp(folder.data());
    }
    ~TokenFile() override { std::filesystem::remove_all(folder_); }

    std::string file(const std::string& content, mode_t mode = 0600) {
        const std::string path = folder_ / "token";
        std::ofstream(path, std::ios::binary) << content;
        ::chmod(path.c_str(), mode);
        return path;
    }
    static Ended serve(const std::string& path) {
        return run_to_end({"serve", "--store", "memory:", "--listen", "127.0.0.1:0", "--log-level",
                           "off", "--token-file", path});
    }
    static int status_with(const ServerProcess& server, const std::string& token) {
        auto connection = http::ClientConnection::to(server.url());
        http::Headers headers;
        headers.add("Authorization", "Bearer " + token);
        const auto response =
            connection->exchange(http::Method::get, "/version", headers, {}, http::Repeat::if_safe);
        return response ? response->status : 0;
    }

    std::filesystem::path folder_;
};

TEST_F(TokenFile, AFinalLineEndIsNotPartOfTheToken) {
    for (const char* end : {"", "\n", "\r\n"}) {
        const ServerProcess server("memory:",
                                   {"--token-file", file("0123456789abcdef" + std::string(end))});
        EXPECT_EQ(status_with(server, "0123456789abcdef"), 200);
        EXPECT_EQ(status_with(server, "0123456789abcdeg"), 401);
    }
}

TEST_F(TokenFile, ATokenThatNoClientCanSendIsRefused) {
    for (const char* content : {"01234567 89abcdef", "0123456789abcdef\t0", " 0123456789abcdef",
                                "0123456789abcdef \n", "0123456789abcdef\nfedcba9876543210\n",
                                "0123456789abcdef\x1b", "0123456789abcd\xc3\xa9"}) {
        const Ended ran = serve(file(content));
        EXPECT_EQ(ran.code, 2) << content << ran.output;
        EXPECT_NE(ran.output.find(folder_ / "token"), std::string::npos) << ran.output;
        EXPECT_NE(ran.output.find("one line"), std::string::npos) << ran.output;
    }
}

TEST_F(TokenFile, AFileThatEverybodyMayWriteIsRefused) {
    const Ended ran = serve(file("0123456789abcdef\n", 0602));
    EXPECT_EQ(ran.code, 2) << ran.output;
    EXPECT_NE(ran.output.find("chmod o-w"), std::string::npos) << ran.output;
}

TEST_F(TokenFile, AMissingOrShortOneIsRefused) {
    EXPECT_EQ(serve(folder_ / "nothing").code, 2);
    const Ended ran = serve(file("0123456789\n"));
    EXPECT_EQ(ran.code, 2) << ran.output;
    EXPECT_NE(ran.output.find("16"), std::string::npos) << ran.output;
}

TEST_F(TokenFile, TheCommandLineReadsItLikewise) {
    const Ended ran = run_to_end({"list", "--token-file", file("two words")});
    EXPECT_EQ(ran.code, 2) << ran.output;
    EXPECT_NE(ran.output.find("one line"), std::string::npos) << ran.output;
}

}  // namespace
}  // namespace holdfast::testing
