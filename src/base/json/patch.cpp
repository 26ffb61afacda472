#include "base/json/patch.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "base/json/number.h"
#include "base/json/parse.h"

namespace holdfast::json {

namespace {

using Tokens = std::span<const std::string>;
using Kind = PatchFailure::Kind;

std::string decode_token(std::string_view encoded) {
    std::string token;
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        if (encoded[i] != '~') {
            token += encoded[i];
        } else {
            token += encoded[++i] == '0' ? '~' : '/';
        }
    }
    return token;
}

bool has_bad_escape(std::string_view encoded) {
    for (std::size_t at = encoded.find('~'); at != encoded.npos; at = encoded.find('~', at + 1)) {
        const bool known =
            encoded.substr(at).starts_with("~0") || encoded.substr(at).starts_with("~1");
        if (!known) return true;
    }
    return false;
}

std::optional<PatchVerb> verb_named(std::string_view name) {
    if (name == "add") return PatchVerb::add;
    if (name == "remove") return PatchVerb::remove;
    if (name == "replace") return PatchVerb::replace;
    if (name == "move") return PatchVerb::move;
    if (name == "copy") return PatchVerb::copy;
    if (name == "test") return PatchVerb::test;
    return std::nullopt;
}

Result<std::vector<std::string>> pointer_member(const bj::object& step, std::string_view name) {
    const bj::value* member = step.if_contains(name);
    if (!member || !member->is_string())
        return fail(ErrorCode::invalid_argument,
                    "\"" + std::string(name) + "\" must be a JSON Pointer");
    return parse_pointer(std::string_view(member->get_string()));
}

bool takes_value(PatchVerb verb) {
    return verb == PatchVerb::add || verb == PatchVerb::replace || verb == PatchVerb::test;
}

bool takes_from(PatchVerb verb) { return verb == PatchVerb::move || verb == PatchVerb::copy; }

Result<PatchStep> parse_step(const bj::value& document) {
    const bj::object* object = document.if_object();
    if (!object) return fail(ErrorCode::invalid_argument, "a patch step must be an object");

    const bj::value* op = object->if_contains("op");
    const auto verb =
        op && op->is_string() ? verb_named(std::string_view(op->get_string())) : std::nullopt;
    if (!verb)
        return fail(ErrorCode::invalid_argument,
                    "\"op\" must be add, remove, replace, move, copy or test");

    PatchStep step{.verb = *verb, .path = {}, .from = {}, .value = nullptr};
    auto path = pointer_member(*object, "path");
    if (!path) return std::unexpected(std::move(path).error());
    step.path = *std::move(path);

    if (takes_from(*verb)) {
        auto from = pointer_member(*object, "from");
        if (!from) return std::unexpected(std::move(from).error());
        step.from = *std::move(from);
    }
    if (takes_value(*verb)) {
        const bj::value* value = object->if_contains("value");
        if (!value) return fail(ErrorCode::invalid_argument, "\"value\" is missing");
        step.value = *value;
    }
    return step;
}

// RFC 6901: digits without leading zeros.
std::optional<std::size_t> array_index(std::string_view token) {
    if (token.empty() || token[0] == '-' || (token[0] == '0' && token.size() > 1))
        return std::nullopt;
    std::size_t index = 0;
    const auto read = std::from_chars(token.data(), token.data() + token.size(), index);
    if (read.ec != std::errc{} || read.ptr != token.data() + token.size()) return std::nullopt;
    return index;
}

bj::value* child(bj::value& parent, const std::string& token) {
    if (bj::object* object = parent.if_object()) return object->if_contains(token);
    if (bj::array* array = parent.if_array()) {
        const auto index = array_index(token);
        return index ? array->if_contains(*index) : nullptr;
    }
    return nullptr;
}

bj::value* resolve(bj::value& root, Tokens path) {
    bj::value* value = &root;
    for (const std::string& token : path) {
        value = child(*value, token);
        if (!value) return nullptr;
    }
    return value;
}

constexpr std::size_t most_copied_bytes = 1024 * 1024;
constexpr std::uint64_t units_per_step = 8;

// Visits every value inside, and spends one unit for each; without meaning if that is exhausted.
std::size_t depth_of(const bj::value& value, Effort& effort) {
    if (!effort.spend(1)) return 0;
    std::size_t deepest = 0;
    if (const bj::object* object = value.if_object()) {
        for (const auto& member : *object)
            deepest = std::max(deepest, depth_of(member.value(), effort));
    } else if (const bj::array* array = value.if_array()) {
        for (const bj::value& element : *array)
            deepest = std::max(deepest, depth_of(element, effort));
    } else {
        return 0;
    }
    return deepest + 1;
}

// The approximate memory of a copy of the value.
std::size_t bytes_of(const bj::value& value) {
    std::size_t bytes = 16;
    if (const bj::string* string = value.if_string()) bytes += string->size();
    if (const bj::object* object = value.if_object())
        for (const auto& member : *object) bytes += member.key().size() + bytes_of(member.value());
    if (const bj::array* array = value.if_array())
        for (const bj::value& element : *array) bytes += bytes_of(element);
    return bytes;
}

bool is_prefix(Tokens prefix, Tokens path) {
    return prefix.size() <= path.size() && std::ranges::equal(prefix, path.first(prefix.size()));
}

// Applies steps to one document. After a failed step the document is inconsistent: discard it.
class Patcher {
public:
    Patcher(bj::value& root, Effort& effort) : root_(root), effort_(effort) {}

    // Absent: the step was applied.
    using Refusal = std::optional<PatchFailure>;

    Refusal apply(const PatchStep& step) {
        effort_.spend(units_per_step + step.path.size() + step.from.size());
        auto refusal = perform(step);
        if (!effort_.is_exhausted()) return refusal;
        return refuse("the patch takes too long; send it in several requests");
    }

private:
    Refusal perform(const PatchStep& step) {
        switch (step.verb) {
            case PatchVerb::add: return add(step.path, step.value);
            case PatchVerb::remove: return remove(step.path);
            case PatchVerb::replace: return replace(step.path, step.value);
            case PatchVerb::move: return move(step.from, step.path);
            case PatchVerb::copy: return copy(step.from, step.path);
            case PatchVerb::test: return test(step.path, step.value);
        }
        return refuse("unknown verb");
    }

    static Refusal refuse(std::string message, Kind kind = Kind::not_applicable) {
        return PatchFailure{.kind = kind, .step = 0, .message = std::move(message)};
    }

    static Refusal no_value(Tokens path) { return refuse("no value at \"" + quoted(path) + "\""); }

    static std::string quoted(Tokens path) { return to_pointer({path.begin(), path.end()}); }

    // Otherwise steps could nest values deeper than the parser accepts.
    bool too_deep(Tokens path, const bj::value& value) {
        return path.size() + depth_of(value, effort_) > Limits{}.depth;
    }

    Refusal add(Tokens path, bj::value value) {
        if (too_deep(path, value)) return refuse("nested too deeply at \"" + quoted(path) + "\"");
        if (path.empty()) {
            root_ = std::move(value);
            return {};
        }
        bj::value* parent = resolve(root_, path.first(path.size() - 1));
        if (!parent) return no_value(path.first(path.size() - 1));
        if (bj::array* array = parent->if_array()) return insert(*array, path, std::move(value));
        bj::object* object = parent->if_object();
        if (!object)
            return refuse("the parent of \"" + quoted(path) + "\" is not an object or array");
        object->insert_or_assign(path.back(), std::move(value));
        return {};
    }

    // The elements behind move, eight of them for one unit.
    bool may_shift(const bj::array& array, std::size_t index) {
        return effort_.spend((array.size() - index) / 8);
    }

    Refusal insert(bj::array& array, Tokens path, bj::value value) {
        const auto index = path.back() == "-" ? array.size() : array_index(path.back());
        if (!index || *index > array.size())
            return refuse("not an array index where a value can be added: \"" + quoted(path) +
                          "\"");
        if (may_shift(array, *index)) array.insert(array.begin() + *index, std::move(value));
        return {};
    }

    Refusal remove(Tokens path) {
        if (path.empty()) return refuse("the whole document cannot be removed");
        if (!resolve(root_, path)) return no_value(path);
        bj::value* parent = resolve(root_, path.first(path.size() - 1));
        if (bj::object* object = parent->if_object()) {
            object->erase(path.back());
        } else {
            bj::array& array = parent->get_array();
            const std::size_t index = *array_index(path.back());
            if (may_shift(array, index)) array.erase(array.begin() + index);
        }
        return {};
    }

    Refusal replace(Tokens path, const bj::value& value) {
        bj::value* target = resolve(root_, path);
        if (!target) return no_value(path);
        if (too_deep(path, value)) return refuse("nested too deeply at \"" + quoted(path) + "\"");
        *target = value;
        return {};
    }

    Refusal move(Tokens from, Tokens path) {
        bj::value* source = resolve(root_, from);
        if (!source) return no_value(from);
        if (std::ranges::equal(from, path)) return {};
        if (is_prefix(from, path))
            return refuse("\"" + quoted(from) + "\" cannot be moved into itself");
        bj::value value = std::move(*source);
        if (auto refusal = remove(from)) return refusal;
        return add(path, std::move(value));
    }

    // Copies of copies double with every step, so the total is limited.
    Refusal copy(Tokens from, Tokens path) {
        const bj::value* source = resolve(root_, from);
        if (!source) return no_value(from);
        copied_ += bytes_of(*source);
        if (copied_ > most_copied_bytes) return refuse("the patch copies more than 1 MiB");
        return add(path, *source);
    }

    Refusal test(Tokens path, const bj::value& expected) {
        const bj::value* actual = resolve(root_, path);
        depth_of(expected, effort_);  // spends what comparing takes
        if (actual && equal(*actual, expected)) return {};
        return refuse("the value at \"" + quoted(path) + "\" is not the one that \"test\" expects",
                      Kind::test_failed);
    }

    bj::value& root_;
    Effort& effort_;
    std::size_t copied_ = 0;
};

bool equal_numbers(const bj::value& a, const bj::value& b) {
    const auto whole = whole_of(a);
    if (whole != whole_of(b)) return false;
    return whole || a.get_double() == b.get_double();
}

bool equal_objects(const bj::object& a, const bj::object& b) {
    if (a.size() != b.size()) return false;
    return std::ranges::all_of(a, [&b](const bj::key_value_pair& member) {
        const bj::value* other = b.if_contains(member.key());
        return other && equal(member.value(), *other);
    });
}

}  // namespace

Result<std::vector<std::string>> parse_pointer(std::string_view text) {
    std::vector<std::string> tokens;
    if (text.empty()) return tokens;
    if (text[0] != '/')
        return fail(ErrorCode::invalid_argument, "a JSON Pointer is empty or begins with \"/\"");
    if (has_bad_escape(text))
        return fail(ErrorCode::invalid_argument, "in a JSON Pointer, write \"~\" as \"~0\"");
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('/', 1), text.size());
        tokens.push_back(decode_token(text.substr(1, end - 1)));
        text.remove_prefix(end);
    }
    return tokens;
}

std::string to_pointer(const std::vector<std::string>& tokens) {
    std::string pointer;
    for (const std::string& token : tokens) {
        pointer += '/';
        for (const char c : token) {
            if (c == '~') {
                pointer += "~0";
            } else if (c == '/') {
                pointer += "~1";
            } else {
                pointer += c;
            }
        }
    }
    return pointer;
}

Result<Patch> parse_patch(const bj::value& document) {
    const bj::array* steps = document.if_array();
    if (!steps) return fail(ErrorCode::invalid_argument, "a JSON Patch is an array of steps");
    Patch patch;
    patch.reserve(steps->size());
    for (const bj::value& step : *steps) {
        auto parsed = parse_step(step);
        if (!parsed) {
            parsed.error().context["step"] = patch.size();
            return std::unexpected(std::move(parsed).error());
        }
        patch.push_back(*std::move(parsed));
    }
    return patch;
}

std::variant<bj::value, PatchFailure> apply_patch(bj::value target, const Patch& patch) {
    Effort unlimited;
    return apply_patch(std::move(target), patch, unlimited);
}

std::variant<bj::value, PatchFailure> apply_patch(bj::value target, const Patch& patch,
                                                  Effort& effort) {
    Patcher patcher(target, effort);
    for (std::size_t i = 0; i < patch.size(); ++i) {
        if (auto failure = patcher.apply(patch[i])) {
            failure->step = i;
            return *std::move(failure);
        }
    }
    return target;
}

bj::value apply_merge_patch(bj::value target, const bj::value& patch) {
    const bj::object* changes = patch.if_object();
    if (!changes) return patch;
    if (!target.is_object()) target.emplace_object();
    bj::object& object = target.get_object();
    for (const auto& change : *changes) {
        if (change.value().is_null()) {
            object.erase(change.key());
        } else {
            bj::value& member = object[change.key()];
            member = apply_merge_patch(std::move(member), change.value());
        }
    }
    return target;
}

bool equal(const bj::value& a, const bj::value& b) {
    if (a.is_number() && b.is_number()) return equal_numbers(a, b);
    if (a.kind() != b.kind()) return false;
    switch (a.kind()) {
        case bj::kind::object: return equal_objects(a.get_object(), b.get_object());
        case bj::kind::array: return std::ranges::equal(a.get_array(), b.get_array(), equal);
        default: return a == b;
    }
}

}  // namespace holdfast::json
