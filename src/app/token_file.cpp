#include "app/token_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace holdfast::app {
namespace {

bool is_visible(char c) { return c > ' ' && c < 0x7f; }

}  // namespace

Result<std::string> read_token_file(const std::string& path) {
    const auto refuse = [&](const std::string& why) {
        return fail(ErrorCode::invalid_argument, "token file " + path + " " + why);
    };
    std::ifstream file(path, std::ios::binary);
    std::string token{std::istreambuf_iterator<char>(file), {}};
    struct stat status{};
    if (!file || ::stat(path.c_str(), &status) != 0)
        return refuse("cannot be read; create one, for example with: openssl rand -hex 32 > " +
                      path);
    if (status.st_mode & S_IWOTH)
        return refuse("can be written by every user of this machine; run: chmod o-w " + path);
    while (token.ends_with('\n') || token.ends_with('\r')) token.pop_back();
    if (token.empty()) return refuse("is empty; it must hold the server's token");
    if (!std::ranges::all_of(token, is_visible))
        return refuse(
            "must hold one token on one line: visible ASCII characters without white space");
    return token;
}

}  // namespace holdfast::app
