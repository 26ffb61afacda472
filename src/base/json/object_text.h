// The text of a JSON object, written member by member: a document in it is not parsed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json/canonical.h"
#include "base/json/document.h"

namespace holdfast::json {

class ObjectText {
public:
    void add(std::string_view name, std::uint64_t number) {
        begin(name);
        text_ += std::to_string(number);
    }
    void add(std::string_view name, std::string_view string) {
        begin(name);
        append_canonical_string(text_, string);
    }
    void add(std::string_view name, const Document& document) {
        begin(name);
        text_ += document.text();
    }
    std::string text() && { return std::move(text_) + '}'; }

private:
    void begin(std::string_view name) {
        text_ += text_.size() == 1 ? "" : ",";
        append_canonical_string(text_, name);
        text_ += ':';
    }

    std::string text_ = "{";
};

}  // namespace holdfast::json
