// The server: wires store, coordinator and HTTP together, runs until SIGTERM, drains.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "pump/settings.h"

namespace holdfast::app {

enum class Demo { none, seeded };

struct ServeOptions {
    std::string store = "sqlite:holdfast.db";
    std::string listen = "127.0.0.1:8080";    // host:port, or [::1]:port
    std::optional<std::string> token_file;    // a bearer token; required off loopback
    std::vector<std::string> host_names;      // more names that the Host header may carry
    std::optional<std::string> address_file;  // where to write "http://host:port" once it serves
    Demo demo = Demo::none;                   // fill an empty store with a small example
    std::size_t writers = 0;                  // 0: what suits the store
    std::size_t queue = 16'384;
    std::size_t event_queue = 10'000;  // events that may be queued per target, and per name
    std::string log_level = "info";
    std::string node;                         // empty: made of host name and process id
    std::optional<std::string> trace_rounds;  // a file that gets every round as a JSON line
    bool allow_weak_durability = false;       // opens a store that may lose what it acknowledged
    PumpSettings pump;
    RetentionSettings retention;
};

// Blocks until SIGTERM or SIGINT. Prints the address and a few curl lines once it serves.
Result<void> serve(const ServeOptions& options);

}  // namespace holdfast::app
