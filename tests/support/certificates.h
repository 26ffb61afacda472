// Certificates for tests, made by the openssl command; nothing of them is kept.
#pragma once

#include <filesystem>
#include <string>

namespace holdfast::testing {

struct Certificate {
    std::string file;  // PEM
    std::string key;   // PEM
};

// An authority, in a folder that is removed with it.
class Authority {
public:
    Authority();
    ~Authority();
    Authority(const Authority&) = delete;
    Authority& operator=(const Authority&) = delete;

    const std::string& file() const { return own_.file; }
    // `names` as in "DNS:localhost,IP:127.0.0.1". A certificate of the same name is replaced, each
    // file at once, as those who renew certificates do.
    Certificate issue(const std::string& name,
                      const std::string& names = "DNS:localhost,IP:127.0.0.1") const;
    std::string path(const std::string& name) const { return folder_ / name; }

private:
    std::filesystem::path folder_;
    Certificate own_;
};

struct ShellResult {
    int code = 0;
    std::string output;  // standard output and standard error
};

// Runs a line of shell to its end.
ShellResult run_shell(const std::string& line);

}  // namespace holdfast::testing
