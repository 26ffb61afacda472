// Reads server-sent events from bytes that arrive in pieces.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace holdfast::client {

struct ServerEvent {
    std::string id;    // the last one that was sent
    std::string type;  // empty: none
    std::string data;
};

class EventReader {
public:
    // Passes the events that these bytes complete to `take`; false: it takes no more.
    bool add(std::string_view bytes, const std::function<bool(const ServerEvent&)>& take);
    // Of the last complete event, also of one without data; empty: none came.
    const std::string& last_id() const { return last_id_; }
    // The connection is another one: what is incomplete never comes.
    void begin_again();

private:
    void read_line(std::string_view line);

    std::string rest_;
    ServerEvent next_;
    std::string last_id_;
};

}  // namespace holdfast::client
