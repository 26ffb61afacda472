#include "store/load_document.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "model/codec/member_reader.h"
#include "program/kinds.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

constexpr json::Limits stored_limits{.depth = 1'000, .nodes = 10'000'000};

}  // namespace

bool load_document(const std::optional<std::string>& text, const std::optional<Digest>& checksum,
                   Form form, Document& document) {
    if (!checksum && text.value_or("{}") == "{}") return true;
    const Digest stored = checksum.value_or(Digest{});
    if (form == Form::canonical && text && sha256(*text) == stored) {
        document = Document::trusted(*text, stored);
        return true;
    }
    const auto value = text ? json::parse(*text, stored_limits) : bj::value(nullptr);
    Document held = value ? Document::of(*value) : Document::of(nullptr);
    const bool sound = form == Form::value && text && value && held.checksum() == stored;
    document = Document::trusted(held.text(), stored);
    return sound;
}

Result<std::shared_ptr<const Definition>> finish_definition(Definition definition) {
    if (definition.schema) definition.compiled = StateSchema::stored(*definition.schema);
    HF_TRY(definition.program, ProgramKinds::known().compile(definition));
    return std::make_shared<const Definition>(std::move(definition));
}

std::string indexes_to_json(const std::vector<json::Path>& indexes) {
    std::vector<std::string> texts;
    for (const json::Path& path : indexes) texts.push_back(json::to_string(path));
    return paths_to_json(texts);
}

std::string paths_to_json(const std::vector<std::string>& paths) {
    bj::array list;
    for (const std::string& path : paths) list.emplace_back(path);
    return json::canonical(list);
}

std::optional<std::vector<std::string>> paths_from_json(std::string_view text) {
    const auto value = json::parse(text, stored_limits);
    if (!value || !value->is_array()) return std::nullopt;
    std::vector<std::string> paths;
    for (const bj::value& path : value->as_array()) {
        if (!path.is_string()) return std::nullopt;
        paths.emplace_back(path.as_string());
    }
    return paths;
}

std::optional<std::string> parts_to_json(const Parts& parts) {
    if (parts.empty()) return std::nullopt;
    bj::object object;
    for (const auto& [name, value] : parts) object[name] = value;
    return json::canonical(object);
}

std::optional<Parts> parts_from_json(std::string_view text) {
    const auto value = json::parse(text, stored_limits);
    if (!value || !value->is_object()) return std::nullopt;
    Parts parts;
    for (const auto& member : value->as_object()) {
        if (!member.value().is_string()) return std::nullopt;
        parts.emplace(member.key(), member.value().as_string());
    }
    return parts;
}

std::optional<std::string> memberships_to_json(const Caller& caller) {
    if (caller.groups.empty() && caller.roles.empty() && caller.by.empty()) return std::nullopt;
    bj::object object{{"groups", bj::array(caller.groups.begin(), caller.groups.end())},
                      {"roles", bj::array(caller.roles.begin(), caller.roles.end())}};
    if (!caller.by.empty()) object["by"] = caller.by;
    return json::canonical(object);
}

bool memberships_from_json(std::string_view text, Caller& caller) {
    const auto value = json::parse(text, stored_limits);
    if (!value) return false;
    MemberReader reader(*value);
    caller.groups = reader.texts("groups");
    caller.roles = reader.texts("roles");
    caller.by = reader.optional_text("by");
    return reader.give(true).has_value();
}

}  // namespace holdfast
