// Statements that go out together, each with what becomes of its rows.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// For a statement whose rows nobody needs.
inline Reply<void> ignore(const Rows&) { return {}; }

class Trip {
public:
    using Take = std::function<Reply<void>(const Rows&)>;

    explicit Trip(Connection& connection) : connection_(connection) {}

    void ask(std::string_view name, const Parameters& parameters, Take take) {
        connection_.queue(name, parameters);
        takes_.push_back(std::move(take));
    }
    // The same for a reader that cannot fail.
    template <class Read>
    void ask_rows(std::string_view name, const Parameters& parameters, Read read) {
        ask(name, parameters, [read = std::move(read)](const Rows& rows) -> Reply<void> {
            for (Row row : rows) read(row);
            return {};
        });
    }
    // Rows are taken in the order in which the statements were asked.
    Reply<void> run() {
        auto answers = connection_.exchange();
        if (!answers) return std::unexpected(answers.error());
        for (std::size_t i = 0; i < takes_.size(); ++i)
            if (auto taken = takes_[i]((*answers)[i]); !taken) return taken;
        return {};
    }

private:
    Connection& connection_;
    std::vector<Take> takes_;
};

}  // namespace holdfast::postgres
