#include "model/cell.h"

namespace holdfast {

std::uint16_t cell_of_tenant(std::string_view) { return 0; }

Uuid in_cell(Uuid id, std::uint16_t cell) {
    id.bytes[8] = static_cast<std::uint8_t>(0x80 | (cell >> 6 & 0x3f));
    id.bytes[9] = static_cast<std::uint8_t>((cell & 0x3f) << 2 | (id.bytes[9] & 0x03));
    return id;
}

}  // namespace holdfast
