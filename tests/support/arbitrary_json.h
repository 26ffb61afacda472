// Random JSON values for property tests: few keys, so that they collide; every kind of number; odd
// characters.
#pragma once

#include <rapidcheck.h>

#include <bit>
#include <boost/json/value.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::testing {

namespace bj = boost::json;

inline rc::Gen<std::string> any_text() {
    const auto character = rc::gen::element<std::string>("a", "0", "/", "~", "\"", "\\", "\n",
                                                         "\x01", "é", "€", "\uFB33", "😀");
    return rc::gen::map(rc::gen::container<std::vector<std::string>>(character),
                        [](const std::vector<std::string>& characters) {
                            std::string text;
                            for (const std::string& one : characters) text += one;
                            return text;
                        });
}

inline rc::Gen<double> any_double() {
    const auto any_bits = rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t bits) {
        return std::bit_cast<double>(bits * 0x9e3779b97f4a7c15u);
    });
    return rc::gen::suchThat(rc::gen::oneOf(any_bits, rc::gen::arbitrary<double>()),
                             [](double number) { return std::isfinite(number); });
}

inline rc::Gen<bj::value> any_scalar() {
    const auto as_value = [](const auto& scalar) { return bj::value(scalar); };
    return rc::gen::oneOf(
        rc::gen::just(bj::value(nullptr)), rc::gen::map(rc::gen::arbitrary<bool>(), as_value),
        rc::gen::map(rc::gen::inRange(0, 3), as_value),
        rc::gen::map(rc::gen::arbitrary<std::int64_t>(), as_value),
        rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), as_value),
        rc::gen::map(any_double(), as_value),
        rc::gen::map(any_text(), [](const std::string& text) { return bj::value(text); }));
}

inline rc::Gen<bj::value> any_json(int depth = 3);

inline rc::Gen<bj::value> any_object_with(std::vector<std::string> keys, int depth = 3) {
    using Member = std::pair<std::string, bj::value>;
    return rc::gen::mapcat(rc::gen::inRange(0, 5), [keys, depth](int size) {
        const auto member = rc::gen::pair(rc::gen::elementOf(keys), any_json(depth - 1));
        return rc::gen::map(rc::gen::container<std::vector<Member>>(size, member),
                            [](const std::vector<Member>& members) {
                                bj::object object;
                                for (const auto& [key, value] : members) object[key] = value;
                                return bj::value(object);
                            });
    });
}

inline rc::Gen<bj::value> any_object(int depth = 3) {
    return any_object_with({"a", "b", "c", "d", "", "a/b", "x~y", "0", "😀", "\uFB33"}, depth);
}

inline rc::Gen<bj::value> any_array(int depth) {
    return rc::gen::mapcat(rc::gen::inRange(0, 4), [depth](int size) {
        return rc::gen::map(rc::gen::container<std::vector<bj::value>>(size, any_json(depth - 1)),
                            [](const std::vector<bj::value>& elements) {
                                return bj::value(bj::array(elements.begin(), elements.end()));
                            });
    });
}

inline rc::Gen<bj::value> any_json(int depth) {
    if (depth <= 0) return any_scalar();
    return rc::gen::oneOf(any_scalar(), any_array(depth), any_object(depth));
}

}  // namespace holdfast::testing

namespace boost::json {

// How RapidCheck prints a counterexample.
inline void showValue(const value& json, std::ostream& out) { out << json; }

}  // namespace boost::json
