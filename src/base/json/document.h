// A JSON value kept as canonical text with its checksum; parsed on demand, unless its maker left
// the value with it.
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/ids/digest.h"
#include "base/result.h"

namespace holdfast::json {

namespace bj = boost::json;

class Document {
public:
    Document();  // {}

    static Document of(const bj::value& value);
    // Keeps the value too: for a document that is soon asked for it, and not held for long.
    static Document keeping(bj::value value);
    // Does not check that `text` is canonical and matches `checksum`: the store has verified both.
    static Document trusted(std::string text, const Digest& checksum);

    // It was not asked for, and on some stores not loaded: nobody may ask for its content.
    void mark_unread() { unread_ = true; }

    const std::string& text() const {
        HF_ASSERT(!unread_, "only a document that was read is asked for its content");
        return text_;
    }
    const Digest& checksum() const { return checksum_; }
    bj::value value() const;
    // Without a copy, if it was kept.
    std::shared_ptr<const bj::value> shared_value() const;
    // For a document that is held for long: the text is smaller.
    void forget_value() { value_.reset(); }
    bool is_empty_object() const { return text_ == "{}"; }

    friend bool operator==(const Document& a, const Document& b) { return a.text_ == b.text_; }

private:
    Document(std::string text, const Digest& checksum)
        : text_(std::move(text)), checksum_(checksum) {}

    std::string text_;
    Digest checksum_;
    std::shared_ptr<const bj::value> value_;  // absent: parsed on demand
    bool unread_ = false;
};

}  // namespace holdfast::json
