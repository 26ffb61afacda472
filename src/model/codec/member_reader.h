// Reads the members of a stored JSON object and records the first one that is missing or invalid.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids/uuid.h"
#include "base/json/document.h"
#include "base/result.h"
#include "base/time/moment.h"

namespace holdfast {

class MemberReader {
public:
    explicit MemberReader(const boost::json::value& value) : object_(value.if_object()) {
        if (!object_) problem_ = "expected an object";
    }

    std::string text(std::string_view name) {
        const boost::json::value* member = find(name);
        if (member && member->is_string()) return std::string(member->as_string());
        blame(name);
        return {};
    }
    // Empty: missing or null.
    std::string optional_text(std::string_view name) {
        return is_absent(name) ? std::string() : text(name);
    }
    std::vector<std::string> texts(std::string_view name) {
        const boost::json::value* member = find(name);
        const boost::json::array* list = member ? member->if_array() : nullptr;
        if (!list) blame(name);
        std::vector<std::string> texts;
        for (const boost::json::value& item : list ? *list : boost::json::array{})
            if (item.is_string())
                texts.emplace_back(item.as_string());
            else
                blame(name);
        return texts;
    }
    std::uint64_t number(std::string_view name) {
        const boost::json::value* member = find(name);
        if (member && member->is_number()) {
            boost::system::error_code error;
            const auto value = member->to_number<std::uint64_t>(error);
            if (!error) return value;
        }
        blame(name);
        return 0;
    }
    bool flag(std::string_view name) {
        const boost::json::value* member = find(name);
        if (member && member->is_bool()) return member->as_bool();
        blame(name);
        return false;
    }
    template <class SomeId>
    SomeId id(std::string_view name) {
        auto parsed = parse_id<SomeId>(text(name));
        if (!parsed) blame(name);
        return parsed.value_or(SomeId{});
    }
    template <class SomeId>
    std::optional<SomeId> optional_id(std::string_view name) {
        return is_absent(name) ? std::nullopt : std::optional(id<SomeId>(name));
    }
    Moment moment(std::string_view name) {
        const auto parsed = parse_iso8601(text(name));
        if (!parsed) blame(name);
        return parsed.value_or(Moment{});
    }
    std::optional<Moment> optional_moment(std::string_view name) {
        return is_absent(name) ? std::nullopt : std::optional(moment(name));
    }
    json::Document document(std::string_view name) {
        const boost::json::value* member = find(name);
        if (member) return json::Document::of(*member);
        blame(name);
        return {};
    }
    const boost::json::value& value(std::string_view name) {
        static const boost::json::value null;
        const boost::json::value* member = find(name);
        return member ? *member : null;
    }
    bool has(std::string_view name) { return find(name) != nullptr; }
    // Missing or null.
    bool is_absent(std::string_view name) { return value(name).is_null(); }
    void blame(std::string_view name) {
        if (problem_.empty()) problem_ = "member '" + std::string(name) + "' is missing or invalid";
    }

    // The value, or corrupt: a member was missing or invalid.
    template <class T>
    Result<T> give(T value) {
        if (!problem_.empty()) return fail(ErrorCode::corrupt, problem_);
        return value;
    }

private:
    const boost::json::value* find(std::string_view name) {
        return object_ ? object_->if_contains(name) : nullptr;
    }

    const boost::json::object* object_;
    std::string problem_;
};

}  // namespace holdfast
