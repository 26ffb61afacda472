// The key of a channel as three columns.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "model/channel.h"
#include "store/postgres/connection/binary.h"
#include "store/postgres/connection/rows.h"

namespace holdfast::postgres {

// Adds three arrays: tenants, names and correlation keys of `channel(row)` of every row.
template <class Rows, class Channel>
void add_channels(Parameters& parameters, const Rows& rows, Channel channel) {
    const auto key = [&](const auto& row) -> const ChannelKey& {
        return std::invoke(channel, row);
    };
    parameters.array(rows, [&](const auto& row) -> const auto& { return key(row).tenant; });
    parameters.array(rows, [&](const auto& row) -> const auto& { return key(row).event.name; });
    parameters.array(rows,
                     [&](const auto& row) -> const auto& { return key(row).event.correlation; });
}

inline ChannelKey channel_of(Row& row) {
    std::string tenant = row.text();
    std::string name = row.text();
    return {std::move(tenant), {std::move(name), row.text()}};
}

}  // namespace holdfast::postgres
