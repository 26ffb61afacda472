// A process that is killed, without a process: the next one finds the files as they are while this
// one has them open, nothing closed, checkpointed or left.
#pragma once

#include <filesystem>

#include "suite/verdicts.h"
#include "support/world.h"

namespace holdfast::suite {

// Only on SQLite. What is in the WAL alone is there, and so are the leases and the node.
inline void kill_and_restart(testing::World& world) {
    namespace fs = std::filesystem;
    const std::string path = world.place.url().substr(std::string("sqlite:").size());
    const std::string left = path + ".left";
    for (const char* file : {"", "-wal"}) {
        fs::remove(left + file);
        if (fs::exists(path + file)) fs::copy_file(path + file, left + file);
    }
    world.coordinator.reset();
    world.store.reset();
    for (const char* file : {"", "-wal", "-shm"}) fs::remove(path + file);
    for (const char* file : {"", "-wal"})
        if (fs::exists(left + file)) fs::rename(left + file, path + file);
    world.restart();
}

inline void restart(testing::World& world, Restart how) {
    if (how == Restart::reload) world.restart();
    if (how == Restart::kill) kill_and_restart(world);
}

}  // namespace holdfast::suite
