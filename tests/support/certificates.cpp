#include "support/certificates.h"

#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <stdexcept>

namespace holdfast::testing {
namespace {

constexpr const char* new_key =
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";

void make(const std::string& line) {
    const ShellResult ran = run_shell(line);
    if (ran.code != 0) throw std::runtime_error(line + ": " + ran.output);
}

}  // namespace

ShellResult run_shell(const std::string& line) {
    ShellResult ran;
    FILE* const pipe = ::popen(("{ " + line + "\n} 2>&1").c_str(), "r");
    if (!pipe) throw std::runtime_error("popen failed");
    char bytes[4096];
    while (const std::size_t count = std::fread(bytes, 1, sizeof bytes, pipe))
        ran.output.append(bytes, count);
    const int status = ::pclose(pipe);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return ran;
}

Authority::Authority() {
    std::string folder = std::filesystem::temp_directory_path() / "holdfast-ca-XXXXXX";
    if (!::mkdtemp(folder.data())) throw std::runtime_error("mkdtemp failed");
    folder_ = folder;
    own_ = {.file = path("authority.pem"), .key = path("authority.key")};
    make(std::string(new_key) + " -days 2 -subj /CN=authority -keyout " + own_.key + " -out " +
         own_.file);
}

Authority::~Authority() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

Certificate Authority::issue(const std::string& name, const std::string& names) const {
    const Certificate made{.file = path(name + ".pem"), .key = path(name + ".key")};
    make(std::string(new_key) + " -days 1 -subj /CN=" + name + " -CA " + own_.file + " -CAkey " +
         own_.key + " -addext basicConstraints=critical,CA:FALSE -addext subjectAltName=" + names +
         " -keyout " + made.key + ".new -out " + made.file + ".new");
    std::filesystem::rename(made.key + ".new", made.key);
    std::filesystem::rename(made.file + ".new", made.file);
    return made;
}

}  // namespace holdfast::testing
