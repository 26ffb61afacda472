// The OpenAPI document as a page for people: HTML without scripts, made by the server.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

namespace holdfast::http {

std::string docs_page(const boost::json::object& openapi);
std::string_view docs_style();

}  // namespace holdfast::http
