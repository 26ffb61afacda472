#include "holdfast/values.h"

#include <boost/json/serialize.hpp>

namespace holdfast::flow {

void put_member(Json& object, const char* name, Json value) {
    object.get_object().emplace(name, std::move(value));
}

template <Basic T>
bool read_value(const Json& value, T& into, std::string& reason) {
    auto read = boost::json::try_value_to<T>(value);
    if (!read) {
        reason = read.error().message();
        return false;
    }
    into = *std::move(read);
    return true;
}

template bool read_value<bool>(const Json&, bool&, std::string&);
template bool read_value<short>(const Json&, short&, std::string&);
template bool read_value<unsigned short>(const Json&, unsigned short&, std::string&);
template bool read_value<int>(const Json&, int&, std::string&);
template bool read_value<unsigned>(const Json&, unsigned&, std::string&);
template bool read_value<long>(const Json&, long&, std::string&);
template bool read_value<unsigned long>(const Json&, unsigned long&, std::string&);
template bool read_value<long long>(const Json&, long long&, std::string&);
template bool read_value<unsigned long long>(const Json&, unsigned long long&, std::string&);
template bool read_value<float>(const Json&, float&, std::string&);
template bool read_value<double>(const Json&, double&, std::string&);
template bool read_value<std::string>(const Json&, std::string&, std::string&);

const Json* find_members(const Json& value, std::size_t count, std::string& reason) {
    const auto* object = value.if_object();
    if (object && object->size() == count) return &value;
    reason = object ? "it has " + std::to_string(object->size()) + " members, not " +
                          std::to_string(count)
                    : "not an object";
    return nullptr;
}

const Json* find_member(const Json& object, const char* name, std::string& reason) {
    const Json* found = object.get_object().if_contains(name);
    if (!found) reason = "member '" + std::string(name) + "' is missing";
    return found;
}

void name_member(std::string& reason, const char* name) {
    reason = "member '" + std::string(name) + "': " + reason;
}

void throw_unreadable(const Place& place, const std::string& reason, const Json& value) {
    throw Misuse(place.text() + ": the stored value does not convert to the expected type (" +
                 reason +
                 "). Read it as the type it was written with, or make the conversion accept old "
                 "values: " +
                 boost::json::serialize(value).substr(0, 200));
}

}  // namespace holdfast::flow
