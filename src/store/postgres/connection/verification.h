// Whether a connection to PostgreSQL is encrypted and its server's certificate is verified, where
// the connection string does not say so.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace holdfast::postgres {

// Settings of libpq that are to be in force unless the string sets them itself: to another machine
// `sslmode` is verify-full, and the authorities of the system are trusted if no others are named.
std::vector<std::pair<std::string, std::string>> verification_defaults(const std::string& url);

// A failure to connect, with what to do if it is about certificates.
std::string explained(std::string message);

}  // namespace holdfast::postgres
