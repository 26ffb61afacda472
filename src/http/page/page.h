// The dashboard: files that the program carries. They are served without a token, because they hold
// no data; what they show comes from the API, which checks the token.
#pragma once

#include <span>
#include <string_view>

#include "http/router.h"

namespace holdfast::http {

struct PageFile {
    std::string_view path;  // "/assets/app-1f0a.js": the name changes with the content
    std::string_view type;
    std::string_view etag;   // in quotes
    std::string_view bytes;  // compressed with gzip
};

// Views of static data.
struct Page {
    PageFile index;                             // the document of every screen
    std::span<const std::string_view> screens;  // "/", "/workflows/{id}", ...
    std::span<const PageFile> assets;
};

void add_page_routes(Router& router, const Page& page);

}  // namespace holdfast::http
