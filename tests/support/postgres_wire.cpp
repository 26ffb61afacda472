#include "support/postgres_wire.h"

#include <cstdint>

namespace holdfast::testing::wire {
namespace {

constexpr std::size_t type_size = 1;
constexpr std::size_t length_size = 4;
constexpr std::uint32_t ssl_request = 80877103;
constexpr std::uint32_t gss_request = 80877104;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < length_size; ++i)
        number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

std::string_view body_of(std::string_view message) {
    return message.substr(type_size + length_size);
}

// The text up to the next zero byte; `rest` becomes what follows it.
std::string_view take_text(std::string_view& rest) {
    const std::size_t end = rest.find('\0');
    const std::string_view text = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    return text;
}

}  // namespace

std::optional<std::string_view> first_message(std::string_view bytes, Form form) {
    const std::size_t head = form == Form::typed ? type_size : 0;
    if (bytes.size() < head + length_size) return std::nullopt;
    const std::size_t whole = head + number_at(bytes, head);
    if (bytes.size() < whole) return std::nullopt;
    return bytes.substr(0, whole);
}

bool is_encryption_request(std::string_view opening) {
    if (opening.size() != 2 * length_size) return false;
    const std::uint32_t code = number_at(opening, length_size);
    return code == ssl_request || code == gss_request;
}

bool begins_commit(std::string_view message, std::string_view statement) {
    if (!message.starts_with('B')) return false;
    std::string_view rest = body_of(message);
    take_text(rest);  // the portal
    return take_text(rest) == statement;
}

bool is_sync(std::string_view message) { return message.starts_with('S'); }

bool is_commit_done(std::string_view answer) {
    if (!answer.starts_with('C')) return false;
    std::string_view rest = body_of(answer);
    return take_text(rest) == "COMMIT";
}

bool is_ready(std::string_view answer) { return answer.starts_with('Z'); }

bool is_notification(std::string_view answer) { return answer.starts_with('A'); }

}  // namespace holdfast::testing::wire
