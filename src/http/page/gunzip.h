// Decompresses gzip, for the few clients that do not accept it.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::http {

// `bytes` come from the build: that they are not gzip is a bug.
std::string gunzip(std::string_view bytes);

}  // namespace holdfast::http
