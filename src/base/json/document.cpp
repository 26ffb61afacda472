#include "base/json/document.h"

#include "base/assert.h"
#include "base/json/canonical.h"
#include "base/json/parse.h"

namespace holdfast::json {

Document::Document() : text_("{}") {
    static const Digest empty = sha256("{}");
    checksum_ = empty;
}

Document Document::of(const bj::value& value) {
    std::string text = canonical(value);
    const Digest checksum = sha256(text);
    return {std::move(text), checksum};
}

Document Document::trusted(std::string text, const Digest& checksum) {
    return {std::move(text), checksum};
}

Document Document::keeping(bj::value value) {
    sort_members(value);  // as if it had been parsed from the text
    Document document = of(value);
    document.value_ = std::make_shared<const bj::value>(std::move(value));
    return document;
}

std::shared_ptr<const bj::value> Document::shared_value() const {
    return value_ ? value_ : std::make_shared<const bj::value>(value());
}

bj::value Document::value() const {
    if (value_) return *value_;
    auto value = parse(text(), Limits{.depth = 1'000, .nodes = 10'000'000});
    HF_ASSERT(value.has_value(), "I17: a document holds canonical JSON");
    return *std::move(value);
}

}  // namespace holdfast::json
