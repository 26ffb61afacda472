// Turns stored bytes into model values, the same for every store.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

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

// Parses the index paths (a JSON array of dotted paths) and compiles the schema of a definition.
Result<std::shared_ptr<const Definition>> finish_definition(Definition definition,
                                                            std::string_view indexes);
std::string indexes_to_json(const std::vector<json::Path>& indexes);

std::string paths_to_json(const std::vector<std::string>& paths);
std::vector<std::string> paths_from_json(std::string_view text);

// The parts of a business reference as one JSON object. Absent: it has none.
std::optional<std::string> parts_to_json(const BusinessReference& business);
std::map<std::string, std::string> parts_from_json(std::string_view text);

}  // namespace holdfast
