// A writer whose rounds pause between their reads and their writes.
#pragma once

#include <functional>

#include "store/store.h"

namespace holdfast::testing {

class PausedWriter final : public Writer {
public:
    PausedWriter(std::unique_ptr<Writer> inner, std::function<void()> pause)
        : inner_(std::move(inner)), pause_(std::move(pause)) {}

    Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                    const Decide& decide) override {
        return inner_->commit(round, [&](View& view) {
            decide(view);
            pause_();
        });
    }
    Result<CommitStatus> commit_status(const RoundId& round) override {
        return inner_->commit_status(round);
    }

private:
    std::unique_ptr<Writer> inner_;
    std::function<void()> pause_;
};

}  // namespace holdfast::testing
