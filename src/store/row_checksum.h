// A checksum that ties the row of an instance to its id (I17): a damaged index that answers with
// the row of another instance shows, and so does a version or a checksum that was changed behind
// us.
#pragma once

#include <cstdint>
#include <optional>

#include "model/instance.h"

namespace holdfast {

// The first eight bytes of the SHA-256 of id, version and the checksums of the two documents. It
// detects accidents: whoever can write the row can compute it too, so more bytes would buy nothing.
std::int64_t row_checksum(const Instance& instance);

// Whether the row belongs to the id that was asked for. No stored checksum: the row was written
// before there was one, and is accepted until its next write.
bool is_row_sound(const Instance& instance, const std::optional<std::int64_t>& stored);

// What may be shown of a row that is perhaps another instance's: the id that was asked for, and
// that it is quarantined.
Instance hidden_row(const InstanceId& id, const Instance& found);

}  // namespace holdfast
