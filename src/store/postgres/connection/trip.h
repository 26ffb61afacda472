// One round trip: statements that are sent together, each with a function that reads its rows.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// For a statement whose rows are not needed.
inline Reply<void> ignore(const Rows&) { return {}; }

class Trip {
public:
    using OnRows = std::function<Reply<void>(const Rows&)>;

    explicit Trip(Connection& connection) : connection_(connection) {}

    void query(std::string_view name, const Parameters& parameters, OnRows on_rows) {
        connection_.queue(name, parameters);
        on_rows_.push_back(std::move(on_rows));
    }
    // The same, row by row, for a reader that cannot fail.
    template <class Read>
    void query_rows(std::string_view name, const Parameters& parameters, Read read) {
        query(name, parameters, [read = std::move(read)](const Rows& rows) -> Reply<void> {
            for (Row row : rows) read(row);
            return {};
        });
    }
    // Sends the statements and reads their rows in the order of the queries.
    Reply<void> run() {
        auto results = connection_.exchange();
        if (!results) return std::unexpected(results.error());
        for (std::size_t i = 0; i < on_rows_.size(); ++i)
            if (auto done = on_rows_[i]((*results)[i]); !done) return done;
        return connection_.check();
    }

private:
    Connection& connection_;
    std::vector<OnRows> on_rows_;
};

}  // namespace holdfast::postgres
