// The cookie of a session: out of reach of scripts, and never sent for pages of other sites.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "http/wire/message.h"

namespace holdfast::http {

// The text of the session in the cookie of this server. Absent: none, or several.
std::optional<std::string_view> session_in(const Headers& headers, Scheme scheme);
// The value of Set-Cookie. Under https, a browser sends it over TLS only.
std::string session_cookie(const Headers& headers, Scheme scheme, std::string_view session,
                           std::chrono::seconds length);
// The same, to make the browser forget it.
std::string no_session_cookie(const Headers& headers, Scheme scheme);

}  // namespace holdfast::http
