// Entity tags, and the conditions that clients send. `"5"` is the version of an instance;
// `"5-0f3a91c2"` also has a digest of what its document shows and its version does not count.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "http/description/description.h"
#include "http/wire/message.h"
#include "model/instance.h"
#include "model/task.h"

namespace holdfast::http {

std::string etag_of(Version version);
// The ETag of a workflow document: a checkpoint, a quarantine and the active task change it too.
std::string etag_of(const Instance& instance, const std::optional<TaskId>& active_task);

// The condition of If-Match. Absent version: `*`, the instance must exist.
struct IfMatch {
    std::optional<Version> version;
};

// `"5"`, a bare `5`, either with a digest, or `*`; only the version counts. invalid_argument:
// missing though required, weak, a list, or malformed. Absent: not sent and not required.
Result<std::optional<IfMatch>> parse_if_match(const Headers& headers, Presence presence);

// Whether If-None-Match names this ETag: `"5"`, `W/"5"`, a list, or `*`.
bool none_match_names(const Headers& headers, std::string_view etag);

}  // namespace holdfast::http
