// Exact comparison of JSON numbers, whatever C++ type keeps them.
#pragma once

#include <boost/json/value.hpp>

namespace holdfast::schema {

// Both are numbers. Decimal, as people write it: 19.99 is a multiple of 0.01.
bool is_multiple(const boost::json::value& number, const boost::json::value& of);
bool is_less(const boost::json::value& a, const boost::json::value& b);

}  // namespace holdfast::schema
