// The worker of simulated nodes: it does the job of the process `race` under the lease it was
// given, also after the lease is over.
#pragma once

#include "pump/signals/signal_handler.h"
#include "sim/node.h"

namespace holdfast::sim {

class Worker final : public SignalHandler {
public:
    static constexpr std::string_view type = "work";

    Worker(Node& node, Database& database) : node_(node), database_(database) {}

    void handle(Work work, Done done) override { done(run(work)); }

private:
    Result<void> run(const Work& work);
    void look_at(const Work& work);

    Node& node_;
    Database& database_;
};

}  // namespace holdfast::sim
