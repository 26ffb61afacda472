#include "base/json/parse.h"

#include <atomic>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include "base/assert.h"
#include "base/json/locate.h"
#include "base/json/number.h"

namespace holdfast::json {

namespace {

// Why the Builder refuses well-formed JSON.
enum class Refusal { none, nul, number, nodes };

// Builds the value from the parser's events. The text is parsed in one call, so numbers arrive
// whole; strings with escapes arrive in parts.
class Builder {
public:
    static constexpr std::size_t max_array_size = bj::array::max_size();
    static constexpr std::size_t max_object_size = bj::object::max_size();
    static constexpr std::size_t max_string_size = bj::string::max_size();
    static constexpr std::size_t max_key_size = bj::string::max_size();

    Builder(std::string_view text, std::size_t max_nodes)
        : text_(text), nodes_left_(max_nodes), stack_({}, scratch_, sizeof scratch_) {
        stack_.reset();
    }

    Refusal refusal() const { return refusal_; }
    std::size_t keys() const { return keys_; }
    bj::value take() { return stack_.release(); }

    bool on_document_begin(bj::error_code&) { return true; }
    bool on_document_end(bj::error_code&) { return true; }
    bool on_array_begin(bj::error_code& error) { return admit(error); }
    bool on_object_begin(bj::error_code& error) { return admit(error); }
    bool on_number_part(bj::string_view, bj::error_code&) { return true; }
    bool on_comment_part(bj::string_view, bj::error_code&) { return true; }
    bool on_comment(bj::string_view, bj::error_code&) { return true; }

    bool on_array_end(std::size_t size, bj::error_code&) {
        stack_.push_array(size);
        return true;
    }

    bool on_object_end(std::size_t size, bj::error_code&) {
        keys_ += size;
        stack_.push_object(size);
        return true;
    }

    bool on_string_part(bj::string_view part, std::size_t, bj::error_code& error) {
        if (has_nul(part)) return refuse(Refusal::nul, error);
        stack_.push_chars(part);
        return true;
    }

    bool on_key_part(bj::string_view part, std::size_t size, bj::error_code& error) {
        return on_string_part(part, size, error);
    }

    bool on_string(bj::string_view part, std::size_t, bj::error_code& error) {
        if (has_nul(part)) return refuse(Refusal::nul, error);
        if (!admit(error)) return false;
        stack_.push_string(part);
        return true;
    }

    bool on_key(bj::string_view part, std::size_t, bj::error_code& error) {
        if (has_nul(part)) return refuse(Refusal::nul, error);
        stack_.push_key(part);
        return true;
    }

    bool on_int64(std::int64_t number, bj::string_view, bj::error_code& error) {
        if (!admit(error)) return false;
        stack_.push_int64(number);
        return true;
    }

    bool on_uint64(std::uint64_t number, bj::string_view, bj::error_code& error) {
        if (!admit(error)) return false;
        stack_.push_uint64(number);
        return true;
    }

    // Boost's double is sometimes off by one digit, so the literal is converted here.
    bool on_double(double, bj::string_view literal, bj::error_code& error) {
        if (!admit(error)) return false;
        const auto decimal = decimal_of({literal.data(), literal.size()});
        if (!decimal) return refuse(Refusal::number, error);
        if (const auto whole = whole_of(*decimal)) {
            push_whole(*whole);
            return true;
        }
        const auto real = exact_double(*decimal);
        if (!real) return refuse(Refusal::number, error);
        stack_.push_double(*real);
        return true;
    }

    bool on_bool(bool truth, bj::error_code& error) {
        if (!admit(error)) return false;
        stack_.push_bool(truth);
        return true;
    }

    bool on_null(bj::error_code& error) {
        if (!admit(error)) return false;
        stack_.push_null();
        return true;
    }

private:
    bool admit(bj::error_code& error) {
        if (nodes_left_ == 0) return refuse(Refusal::nodes, error);
        --nodes_left_;
        return true;
    }

    bool refuse(Refusal refusal, bj::error_code& error) {
        refusal_ = refusal;
        error = bj::make_error_code(bj::error::syntax);
        return false;
    }

    // A raw NUL is a syntax error; only unescaped parts, which lie outside the text, can have one.
    bool has_nul(bj::string_view part) const {
        const std::less<> before;
        const bool verbatim =
            !before(part.data(), text_.data()) && before(part.data(), text_.data() + text_.size());
        return !verbatim && part.find('\0') != part.npos;
    }

    void push_whole(const Whole& whole) {
        if (whole.negative)
            return stack_.push_int64(static_cast<std::int64_t>(~whole.magnitude + 1));
        if (whole.magnitude > INT64_MAX) return stack_.push_uint64(whole.magnitude);
        stack_.push_int64(static_cast<std::int64_t>(whole.magnitude));
    }

    std::string_view text_;
    std::size_t nodes_left_;
    std::size_t keys_ = 0;
    Refusal refusal_ = Refusal::none;
    alignas(bj::value) unsigned char scratch_[4096];
    bj::value_stack stack_;
};

std::unexpected<Error> malformed(std::string message, std::size_t offset) {
    message += " at byte " + std::to_string(offset);
    return fail(ErrorCode::malformed_json, std::move(message), {{"offset", offset}});
}

std::unexpected<Error> unrepresentable(std::string_view text, std::size_t offset) {
    std::string pointer = pointer_at(text, offset);
    return fail(ErrorCode::unrepresentable,
                "the number at \"" + pointer +
                    "\" cannot be stored exactly: send it with fewer digits or as a string",
                {{"path", pointer}});
}

// Whether the escape that begins `distance` bytes before `offset` is a high surrogate.
bool is_high_surrogate(std::string_view text, std::size_t offset, std::size_t distance) {
    if (offset < distance) return false;
    const std::string_view escape = text.substr(offset - distance, 4);
    return escape.starts_with("\\u") && (escape[2] | 32) == 'd' &&
           std::string_view("89abAB").find(escape[3]) != std::string_view::npos;
}

std::string describe_syntax(std::string_view text, std::size_t offset) {
    if (offset >= text.size()) return "unexpected end of input";
    const auto byte = static_cast<unsigned char>(text[offset]);
    char message[96];
    if (byte >= 0x80) {
        std::snprintf(message, sizeof message,
                      "unexpected byte 0x%02x (not valid UTF-8, or outside of a string)", byte);
    } else if (byte < 0x20 || byte == 0x7f) {
        std::snprintf(message, sizeof message,
                      "control character 0x%02x (in a string, write \\u%04x)", byte, byte);
    } else {
        std::snprintf(message, sizeof message, "unexpected '%c'", byte);
    }
    return message;
}

// Boost stops where the low surrogate should be, and reports one of several error codes.
bool breaks_surrogate_pair(bj::error_code error, std::string_view text, std::size_t offset) {
    if (error == bj::error::illegal_leading_surrogate) return true;
    if (error == bj::error::illegal_trailing_surrogate) return true;
    if (error == bj::error::expected_hex_digit) return is_high_surrogate(text, offset, 12);
    return error == bj::error::syntax &&
           (is_high_surrogate(text, offset, 6) || is_high_surrogate(text, offset, 7));
}

std::string describe(bj::error_code error, std::string_view text, std::size_t offset) {
    if (error == bj::error::incomplete) return "unexpected end of input";
    if (error == bj::error::extra_data) return "unexpected data after the JSON value";
    if (error == bj::error::too_deep) return "arrays and objects are nested too deeply";
    if (breaks_surrogate_pair(error, text, offset)) return "unpaired surrogate";
    if (error == bj::error::expected_hex_digit) return "\\u needs four hexadecimal digits";
    if (error == bj::error::syntax) return describe_syntax(text, offset);
    return "a string, an array or an object is too large";
}

// Strings arrive in parts, so the parser may be past the escape when it stops.
std::size_t offset_of_nul(std::string_view text, std::size_t offset) {
    for (std::size_t at = offset; (at = text.rfind("\\u0000", at)) != text.npos && at > 0; --at) {
        const std::size_t backslashes = at - 1 - text.find_last_not_of('\\', at - 1);
        if (backslashes % 2 == 0) return at;
    }
    return offset;
}

std::unexpected<Error> refused(Refusal refusal, std::string_view text, std::size_t offset) {
    switch (refusal) {
        case Refusal::number: return unrepresentable(text, offset);
        case Refusal::nul:
            return malformed("\\u0000 cannot be stored", offset_of_nul(text, offset));
        case Refusal::nodes: return malformed("too many values", offset);
        case Refusal::none: break;
    }
    HF_ASSERT(false, "a refusal has a reason");
}

std::size_t count_members(const bj::value& value) {
    std::size_t members = 0;
    if (const bj::object* object = value.if_object()) {
        members = object->size();
        for (const auto& member : *object) members += count_members(member.value());
    } else if (const bj::array* array = value.if_array()) {
        for (const bj::value& element : *array) members += count_members(element);
    }
    return members;
}

std::atomic<std::uint64_t> parsed = 0;

}  // namespace

std::uint64_t texts_parsed() { return parsed.load(std::memory_order_relaxed); }

Result<bj::value> parse(std::string_view text, const Limits& limits) {
    parsed.fetch_add(1, std::memory_order_relaxed);
    bj::parse_options options;
    options.max_depth = limits.depth;
    bj::basic_parser<Builder> parser(options, text, limits.nodes);

    bj::error_code error;
    const std::size_t offset = parser.write_some(false, text.data(), text.size(), error);
    const Refusal refusal = parser.handler().refusal();
    if (refusal != Refusal::none) return refused(refusal, text, offset);
    if (error == bj::error::exponent_overflow) return unrepresentable(text, offset);
    if (!error && offset < text.size()) error = bj::make_error_code(bj::error::extra_data);
    if (error) return malformed(describe(error, text, offset), offset);

    bj::value value = parser.handler().take();
    // Boost keeps the last of duplicate keys: fewer members than keys means there were duplicates.
    if (count_members(value) == parser.handler().keys()) return value;
    const auto duplicate = find_duplicate_key(text);
    HF_ASSERT(duplicate.has_value(), "only a duplicate key reduces the number of members");
    return malformed("duplicate key \"" + duplicate->pointer + "\"", duplicate->offset);
}

}  // namespace holdfast::json
