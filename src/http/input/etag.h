// Entity tags: the version of an instance as `"5"`, and the conditions that clients send.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "http/wire/message.h"
#include "model/instance.h"

namespace holdfast::http {

std::string etag_of(Version version);

// The condition of If-Match. Absent version: `*`, the instance must exist.
struct IfMatch {
    std::optional<Version> version;
};

enum class Presence { required, optional };

// `"5"`, a bare `5`, or `*`. invalid_argument: missing though required, weak, a list, or malformed.
// Absent: not sent and not required.
Result<std::optional<IfMatch>> parse_if_match(const Headers& headers, Presence presence);

// Whether If-None-Match names this version: `"5"`, `W/"5"`, a list, or `*`.
bool none_match_names(const Headers& headers, Version version);

}  // namespace holdfast::http
