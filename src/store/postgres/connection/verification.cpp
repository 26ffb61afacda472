#include "store/postgres/connection/verification.h"

#include <libpq-fe.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

namespace holdfast::postgres {
namespace {

constexpr const char* authorities_of_the_system = "/etc/ssl/certs/ca-certificates.crt";

using ParsedString = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

// What the string says, else the environment; empty: neither.
std::string setting_in(const ParsedString& options, std::string_view keyword,
                       const char* variable) {
    for (const PQconninfoOption* option = options.get(); option && option->keyword; ++option)
        if (option->keyword == keyword && option->val && *option->val) return option->val;
    const char* const value = std::getenv(variable);
    return value ? value : "";
}

// A socket file, or a name or an address of loopback.
bool is_local(std::string_view host) {
    return host.empty() || host.starts_with('/') || host.starts_with('@') || host == "localhost" ||
           host.starts_with("127.") || host == "::1";
}

// Several hosts are separated by commas.
bool are_local(std::string_view hosts) {
    for (;;) {
        const std::size_t comma = hosts.find(',');
        if (!is_local(hosts.substr(0, comma))) return false;
        if (comma == std::string_view::npos) return true;
        hosts.remove_prefix(comma + 1);
    }
}

bool has_own_authorities() {
    const char* const home = std::getenv("HOME");
    std::error_code unknown;
    return home && std::filesystem::exists(std::string(home) + "/.postgresql/root.crt", unknown);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> verification_defaults(const std::string& url) {
    const ParsedString options(PQconninfoParse(url.c_str(), nullptr), &PQconninfoFree);
    if (!options) return {};  // the attempt to connect says what is wrong with it
    std::string host = setting_in(options, "host", "PGHOST");
    if (host.empty()) host = setting_in(options, "hostaddr", "PGHOSTADDR");
    const std::string mode = setting_in(options, "sslmode", "PGSSLMODE");
    std::vector<std::pair<std::string, std::string>> defaults;
    if (mode.empty() && are_local(host)) return defaults;
    if (mode.empty()) defaults.emplace_back("sslmode", "verify-full");
    const bool verifies = mode.empty() || mode.starts_with("verify-");
    if (verifies && setting_in(options, "sslrootcert", "PGSSLROOTCERT").empty() &&
        !has_own_authorities())
        defaults.emplace_back("sslrootcert", authorities_of_the_system);
    return defaults;
}

std::string explained(std::string message) {
    if (!message.contains("certificate") && !message.contains("SSL")) return message;
    return message +
           "\nPostgreSQL on another machine must show a certificate for its host name: name the "
           "authority in the store's URL with sslrootcert=FILE, or choose otherwise with "
           "sslmode=require (encrypted, not verified) or sslmode=disable";
}

}  // namespace holdfast::postgres
