// Turns stored bytes into model values, the same for every store.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/caller.h"
#include "model/definition.h"
#include "model/instance.h"

namespace holdfast {

// Whether the store keeps the canonical bytes or, like jsonb, only the value.
enum class Form { canonical, value };

// Fills `document` from what is stored; no checksum means {} and no stored text. False: the
// document fails its checksum (I17); it then carries the stored checksum, and bytes that are no
// JSON load as null.
bool load_document(const std::optional<std::string>& text, const std::optional<Digest>& checksum,
                   Form form, Document& document);

// Compiles the schema and the program of a definition.
Result<std::shared_ptr<const Definition>> finish_definition(Definition definition);
std::string indexes_to_json(const std::vector<json::Path>& indexes);

std::string paths_to_json(const std::vector<std::string>& paths);
// Absent: not a list of texts.
std::optional<std::vector<std::string>> paths_from_json(std::string_view text);

using Parts = std::map<std::string, std::string>;
// The parts of a business reference as one JSON object. Absent: it has none.
std::optional<std::string> parts_to_json(const Parts& parts);
// Absent: not an object of texts.
std::optional<Parts> parts_from_json(std::string_view text);

// Groups, roles and who acts for the user as one JSON object. Absent: there are none.
std::optional<std::string> memberships_to_json(const Caller& caller);
// False: not such an object.
bool memberships_from_json(std::string_view text, Caller& caller);

}  // namespace holdfast
