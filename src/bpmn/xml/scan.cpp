#include "bpmn/xml/scan.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace holdfast::bpmn {
namespace {

// `#65` or `#x41`: a character that XML allows.
bool is_character(std::string_view name) {
    if (name.size() < 2 || name[0] != '#' || name.size() > 9) return false;
    const bool hex = name[1] == 'x';
    const std::string_view digits = name.substr(hex ? 2 : 1);
    std::uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
    if (error != std::errc{} || end != digits.data() + digits.size()) return false;
    if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return !surrogate && code != 0xFFFE && code != 0xFFFF && code <= 0x10FFFF;
}

class Scan {
public:
    Scan(std::string_view text, const XmlLimits& limits) : text_(text), limits_(limits) {}

    std::optional<Problem> run() {
        while (!refusal_ && at_ < text_.size()) step();
        if (!refusal_ && depth_ > 0) refuse(ProblemKind::malformed_xml, "the file ends too early");
        if (!refusal_ && elements_ == 0) refuse(ProblemKind::malformed_xml, "there is no element");
        return refusal_;
    }

private:
    void refuse(ProblemKind kind, std::string message) {
        if (refusal_) return;
        const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
        refusal_ = Problem{.kind = kind,
                           .line = 1 + static_cast<std::uint32_t>(std::ranges::count(before, '\n')),
                           .element = {},
                           .message = std::move(message)};
    }

    bool begins(std::string_view with) const { return text_.substr(at_).starts_with(with); }

    // Moves behind `end`.
    void skip_to(std::string_view end, std::string_view what) {
        const auto found = text_.find(end, at_);
        if (found == std::string_view::npos) {
            refuse(ProblemKind::malformed_xml, std::string(what) + " does not end");
            return;
        }
        at_ = found + end.size();
    }

    void step() {
        if (begins("<!--")) {
            at_ += 4;
            skip_to("-->", "a comment");
        } else if (begins("<![CDATA[")) {
            if (depth_ == 0)
                refuse(ProblemKind::malformed_xml, "there is text outside of the root element");
            skip_to("]]>", "a CDATA section");
        } else if (begins("<!")) {
            refuse(ProblemKind::doctype, "a DOCTYPE is not allowed");
        } else if (begins("<?")) {
            skip_to("?>", "a processing instruction");
        } else if (begins("</")) {
            end_tag();
        } else if (begins("<")) {
            start_tag();
        } else {
            text();
        }
    }

    void text() {
        const auto end = std::min(text_.find('<', at_), text_.size());
        const std::string_view run = text_.substr(at_, end - at_);
        if (depth_ == 0 && run.find_first_not_of(" \t\r\n") != std::string_view::npos)
            refuse(ProblemKind::malformed_xml, "there is text outside of the root element");
        entities(run);
        at_ = end;
    }

    void entities(std::string_view run) {
        for (auto at = run.find('&'); at != std::string_view::npos; at = run.find('&', at + 1)) {
            const std::string_view rest = run.substr(at + 1);
            const std::string_view name = rest.substr(0, rest.find(';'));
            if (name.size() == rest.size() ||
                !(is_character(name) || name == "lt" || name == "gt" || name == "amp" ||
                  name == "quot" || name == "apos"))
                refuse(ProblemKind::malformed_xml,
                       "an entity or a character that XML does not have");
        }
    }

    void end_tag() {
        if (depth_ == 0) refuse(ProblemKind::malformed_xml, "an end tag without a start tag");
        skip_to(">", "an end tag");
        --depth_;
    }

    void start_tag() {
        if (depth_ == 0 && elements_ > 0)
            refuse(ProblemKind::malformed_xml, "there is more than one root element");
        if (++elements_ > limits_.elements)
            refuse(ProblemKind::too_many_elements,
                   "more than " + std::to_string(limits_.elements) + " elements");
        if (depth_ + 1 > limits_.depth)
            refuse(ProblemKind::too_deep,
                   "elements nest deeper than " + std::to_string(limits_.depth) + " levels");
        ++at_;
        ++depth_;
        const std::size_t before = attributes_;
        while (!refusal_) {
            if (attributes_ - before > limits_.attributes_of_element)
                return refuse(ProblemKind::too_many_elements,
                              "an element has more than " +
                                  std::to_string(limits_.attributes_of_element) + " attributes");
            at_ = std::min(text_.find_first_of("<>\"'", at_), text_.size());
            if (at_ == text_.size() || text_[at_] == '<')
                return refuse(ProblemKind::malformed_xml, "a start tag does not end");
            if (text_[at_] == '>') break;
            attribute();
        }
        if (text_[at_ - 1] == '/') --depth_;
        ++at_;
    }

    // At the quote that opens its value.
    void attribute() {
        if (++attributes_ > limits_.attributes)
            refuse(ProblemKind::too_many_elements,
                   "more than " + std::to_string(limits_.attributes) + " attributes");
        const auto end = text_.find(text_[at_], at_ + 1);
        if (end == std::string_view::npos)
            return refuse(ProblemKind::malformed_xml, "the value of an attribute does not end");
        entities(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
    }

    std::string_view text_;
    const XmlLimits& limits_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    std::size_t elements_ = 0;
    std::size_t attributes_ = 0;
    std::optional<Problem> refusal_;
};

}  // namespace

std::optional<Problem> refused_by_scan(std::string_view text, const XmlLimits& limits) {
    return Scan(text, limits).run();
}

}  // namespace holdfast::bpmn
