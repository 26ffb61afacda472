// Exact comparison of JSON numbers of any C++ type.
#pragma once

#include <boost/json/value.hpp>

namespace holdfast::schema {

// Both must be numbers. In decimal: 19.99 is a multiple of 0.01.
bool is_multiple(const boost::json::value& number, const boost::json::value& of);
bool is_less(const boost::json::value& a, const boost::json::value& b);

}  // namespace holdfast::schema
