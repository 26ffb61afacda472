#include "client/event_reader.h"

#include <utility>

namespace holdfast::client {

bool EventReader::add(std::string_view bytes, const std::function<bool(const ServerEvent&)>& take) {
    rest_ += bytes;
    std::size_t start = 0;
    bool goes_on = true;
    for (std::size_t end = 0; goes_on && (end = rest_.find('\n', start)) != std::string::npos;
         start = end + 1) {
        std::string_view line(rest_.data() + start, end - start);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty()) {
            read_line(line);
            continue;
        }
        last_id_ = next_.id;
        ServerEvent event = std::exchange(next_, {.id = next_.id, .type = {}, .data = {}});
        if (!event.data.empty()) goes_on = take(event);
    }
    rest_.erase(0, start);
    return goes_on;
}

void EventReader::begin_again() {
    rest_.clear();
    next_ = {.id = last_id_, .type = {}, .data = {}};
}

void EventReader::read_line(std::string_view line) {
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (name == "id") next_.id = value;
    if (name == "event") next_.type = value;
    if (name != "data") return;
    if (!next_.data.empty()) next_.data += '\n';
    next_.data += value;
}

}  // namespace holdfast::client
