// Which cell, that is which database, something belongs to (ADR 27). What a node makes is in the
// cell of its database, and so are the children of its instances. What callers name themselves,
// client keys and broadcasts, belongs to the cell of their tenant.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids/uuid.h"

namespace holdfast {

// 0 as long as there is one database.
std::uint16_t cell_of_tenant(std::string_view tenant);
// The same id in that cell; the variant is that of RFC 9562.
Uuid in_cell(Uuid id, std::uint16_t cell);

}  // namespace holdfast
