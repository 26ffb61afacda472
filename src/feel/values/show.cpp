#include "feel/values/show.h"

#include <algorithm>

#include "feel/syntax/names.h"
#include "feel/temporal/temporal_text.h"

namespace holdfast::feel {
namespace {

// Stops once the text is too long: values may share parts and be huge when written out.
class ValueWriter {
public:
    explicit ValueWriter(std::size_t most) : most_(most) {}

    std::string& text() { return text_; }
    bool fits() const { return text_.size() <= most_; }

    void operator()(const Null&) { text_ += "null"; }
    void operator()(bool truth) { text_ += truth ? "true" : "false"; }
    void operator()(const Decimal& number) { text_ += number.text(); }
    void operator()(const Text& text) {
        text_ += '"';
        for (const char c : text.view()) {
            if (c == '"' || c == '\\') text_ += '\\';
            if (c == '\n' || c == '\t' || c == '\r') {
                text_ += '\\';
                text_ += c == '\n' ? 'n' : c == '\t' ? 't' : 'r';
            } else {
                text_ += c;
            }
        }
        text_ += '"';
    }
    void operator()(const List& list) {
        text_ += '[';
        for (const Value& item : list) {
            if (!fits()) return;
            if (&item != list.begin()) text_ += ", ";
            add(item);
        }
        text_ += ']';
    }
    void operator()(const Context& context) {
        text_ += '{';
        for (const Entry& entry : context) {
            if (!fits()) return;
            if (&entry != context.begin()) text_ += ", ";
            name(entry.name);
            text_ += ": ";
            add(entry.value);
        }
        text_ += '}';
    }
    void operator()(const RangePointer& range) {
        if (range->form != Range::Form::interval) return comparison(*range);
        text_ += range->low_included ? '[' : '(';
        add(range->low);
        text_ += "..";
        add(range->high);
        text_ += range->high_included ? ']' : ')';
    }
    void operator()(const FunctionPointer&) { text_ += "function"; }
    template <class Temporal>
    void operator()(const Temporal& value) {
        text_ += text_of(value);
    }

    void add(const Value& value) { std::visit(*this, value.form()); }

private:
    void name(const Text& name) {
        const std::string_view view = name.view();
        const bool plain = !view.empty() && std::ranges::all_of(view, [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ' ' || c < 0;
        });
        if (plain) {
            text_ += view;
        } else {
            (*this)(name);
        }
    }
    void comparison(const Range& range) {
        constexpr std::string_view signs[] = {"", "< ", "<= ", "> ", ">= ", "= ", "!= "};
        text_ += '(';
        text_ += signs[static_cast<std::size_t>(range.form)];
        add(range.low.is_null() ? range.high : range.low);
        text_ += ')';
    }

    std::size_t most_;
    std::string text_;
};

}  // namespace

std::optional<std::string> shown_within(const Value& value, std::size_t most) {
    if (const auto* text = value.get<Text>()) {
        if (text->size() > most) return std::nullopt;
        return std::string(text->view());
    }
    ValueWriter writer(most);
    writer.add(value);
    if (!writer.fits()) return std::nullopt;
    return std::move(writer.text());
}

std::string shown(const Value& value) { return *shown_within(value, SIZE_MAX); }

}  // namespace holdfast::feel
