#include "store/row_checksum.h"

#include <cstring>

namespace holdfast {

std::int64_t row_checksum(const Instance& instance) {
    std::array<char, 88> bytes;
    const auto& id = instance.id.value.bytes;
    const auto& state = instance.state.checksum().bytes;
    const auto& metadata = instance.state_metadata.checksum().bytes;
    std::memcpy(bytes.data(), id.data(), 16);
    for (std::size_t i = 0; i < 8; ++i)
        bytes[16 + i] = static_cast<char>(instance.version >> (56 - 8 * i));
    std::memcpy(bytes.data() + 24, state.data(), 32);
    std::memcpy(bytes.data() + 56, metadata.data(), 32);
    const Digest digest = sha256(std::string_view(bytes.data(), bytes.size()));
    std::uint64_t first = 0;
    for (std::size_t i = 0; i < 8; ++i) first = first << 8 | digest.bytes[i];
    return static_cast<std::int64_t>(first);
}

bool is_row_sound(const Instance& instance, const std::optional<std::int64_t>& stored) {
    return !stored || *stored == row_checksum(instance);
}

Instance hidden_row(const InstanceId& id, const Instance& found) {
    Instance hidden;
    hidden.id = id;
    hidden.tenant = found.tenant;
    hidden.status = found.status;
    hidden.version = found.version;
    hidden.quarantined = true;
    return hidden;
}

}  // namespace holdfast
