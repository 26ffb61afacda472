#include "app/engine.h"

#include <unistd.h>

#include "store/options.h"

namespace holdfast::app {
namespace {

std::string node_name(const EngineOptions& options) {
    if (!options.node.empty()) return options.node;
    char host[256] = "node";
    ::gethostname(host, sizeof host - 1);
    return std::string(host) + "-" + std::to_string(::getpid());
}

}  // namespace

Engine::Engine(prometheus::Registry& registry) : metrics_(registry), pump_metrics_(registry) {}

Result<std::unique_ptr<Engine>> Engine::open(const EngineOptions& options,
                                             prometheus::Registry& registry) {
    std::unique_ptr<Engine> engine(new Engine(registry));
    if (options.trace_rounds) {
        HF_TRY(engine->trace_, RoundTrace::open(*options.trace_rounds));
    }
    HF_TRY(engine->store_, open_store(options.store, {.clock = &engine->clock_,
                                                      .writers = options.writers,
                                                      .readers = options.readers}));
    HF_TRY(engine->coordinator_, Coordinator::open(*engine->store_, engine->ids_, engine->metrics_,
                                                   {.node = node_name(options),
                                                    .limits = {.queue = options.queue},
                                                    .listeners = {&engine->timers_},
                                                    .trace = engine->trace_.get()}));
    engine->timers_.start(*engine->store_, *engine->coordinator_, engine->ids_,
                          engine->pump_metrics_);
    engine->recovery_.emplace(*engine->store_, *engine->coordinator_, engine->ids_);
    return engine;
}

Engine::~Engine() { stop(); }

void Engine::stop() {
    if (recovery_) recovery_->stop();
    timers_.stop();
    if (coordinator_) coordinator_->shutdown();
}

}  // namespace holdfast::app
