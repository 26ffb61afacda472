// A node with programs for the fault tests. "relay" runs its workflow through steps and waits and
// logs its effects; "poison" aborts the process at every attempt.
//
//     fault_node serve --store URL --listen ADDRESS --address-file FILE --node NAME ...
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "base/log.h"
#include "base/threads/pause.h"
#include "faults/effects.h"
#include "node/node_server.h"
#include "program/flow.h"

namespace {

using namespace std::chrono_literals;
using namespace holdfast;
using holdfast::testing::Effect;
using holdfast::testing::EffectKind;

constexpr auto time_of_a_step = 30ms;
constexpr auto time_of_a_timer = 30ms;

class EffectLog {
public:
    explicit EffectLog(const char* path)
        : fd_(::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {}

    void write(EffectKind kind, const Work& work, std::uint64_t index) const {
        const std::string line =
            holdfast::testing::to_line({.kind = kind,
                                        .instance = to_string(work.instance),
                                        .index = index,
                                        .attempt = work.attempts,
                                        .node = ::getpid(),
                                        .at = std::chrono::steady_clock::now()});
        (void)!::write(fd_, line.data(), line.size());
    }

private:
    const int fd_;
};

// What a workflow does at an index: stages of a step and a wait, then the end. Index 0 holds its
// arguments.
enum class Stage { step, event, timer, end };

Stage stage_at(std::uint64_t index, std::uint64_t stages) {
    const std::uint64_t done = index - 1;
    if (done >= 2 * stages) return Stage::end;
    if (done % 2 == 0) return Stage::step;
    return done / 2 % 2 == 0 ? Stage::event : Stage::timer;
}

// Whether the program continues with its next index.
enum class Next { proceed, stop };

class RelayProgram : public SignalHandler {
public:
    explicit RelayProgram(const EffectLog& log) : log_(log) {}

    void use(Engine& engine) { engine_ = &engine; }

    void handle(Work work, Done done) override {
        Result<Next> next = Next::proceed;
        while (next && *next == Next::proceed) next = advance(work);
        done(next ? Result<void>() : std::unexpected(next.error()));
    }

private:
    Result<Next> advance(const Work& work) {
        HF_TRY(auto read, run(op::Read{.cause = cause(), .instance = work.instance}));
        const auto* found = std::get_if<op::Found>(&read);
        if (!found || found->instance.status != Status::running) return Next::stop;
        const Instance& instance = found->instance;
        const op::Run at{.run = instance.run, .index = instance.index, .lease = work.lease};
        const auto stages = instance.state.value().at("stages").to_number<std::uint64_t>();
        switch (stage_at(instance.index, stages)) {
            case Stage::step: return step(work, at);
            case Stage::event: return wait(work, at, {.names = {"go"}}, std::nullopt);
            case Stage::timer: return wait(work, at, {}, time_of_a_timer);
            case Stage::end: return finish(work, at);
        }
        return Next::stop;
    }

    Result<Next> step(const Work& work, const op::Run& at) {
        log_.write(EffectKind::began, work, at.index);
        pause_for(time_of_a_step);
        HF_TRY(auto outcome, run(op::RecordStep{.cause = cause(),
                                                .instance = work.instance,
                                                .run = at,
                                                .step_name = "work",
                                                .value = Document::of(at.index)}));
        if (!std::holds_alternative<op::Recorded>(outcome)) return Next::stop;
        log_.write(EffectKind::recorded, work, at.index);
        return Next::proceed;
    }

    Result<Next> wait(const Work& work, const op::Run& at, Wait wait,
                      std::optional<std::chrono::microseconds> after) {
        HF_TRY(auto outcome, run(op::Suspend{.cause = cause(),
                                             .instance = work.instance,
                                             .run = at,
                                             .wait = std::move(wait),
                                             .after = after}));
        return std::holds_alternative<op::Woken>(outcome) ? Next::proceed : Next::stop;
    }

    Result<Next> finish(const Work& work, const op::Run& at) {
        HF_TRY(auto outcome, run(op::Finish{.cause = cause(),
                                            .instance = work.instance,
                                            .run = at,
                                            .result = Document::of(nullptr)}));
        return Next::stop;
    }

    template <class Op>
    Result<typename Op::Outcome> run(Op operation) {
        return engine_->coordinator().submit(std::move(operation)).get();
    }
    Cause cause() { return {.operation = engine_->ids().next<OperationId>()}; }

    const EffectLog& log_;
    Engine* engine_ = nullptr;
};

class PoisonProgram : public SignalHandler {
public:
    explicit PoisonProgram(const EffectLog& log) : log_(log) {}

    void handle(Work work, Done) override {
        log_.write(EffectKind::began, work, 0);
        std::abort();
    }

private:
    const EffectLog& log_;
};

void define(Engine& engine, const std::string& key) {
    const auto defined =
        engine.coordinator()
            .submit(op::Define{.cause = {.operation = engine.ids().next<OperationId>()},
                               .key = key,
                               .kind = "flow",
                               .program = flow_program()})
            .get();
    if (!defined) {
        std::fprintf(stderr, "cannot define %s: %s\n", key.c_str(),
                     defined.error().message.c_str());
        std::exit(1);
    }
}

struct Options {
    EngineOptions engine;
    std::string listen;
    std::string address_file;
};

bool read_option(const std::string& name, const std::string& value, Options& options) {
    if (name == "--pump-lease-seconds") {
        options.engine.pump.lease = std::chrono::seconds(std::stoi(value));
        return true;
    }
    std::string ignored;
    const std::map<std::string, std::string*> texts = {{"--store", &options.engine.store},
                                                       {"--node", &options.engine.node},
                                                       {"--listen", &options.listen},
                                                       {"--address-file", &options.address_file},
                                                       {"--log-level", &ignored}};
    const auto found = texts.find(name);
    if (found == texts.end()) return false;
    *found->second = value;
    return true;
}

// Renames the file into place, so that the test never reads half of it.
void write_address(const std::string& path, const std::string& url) {
    std::ofstream(path + ".new") << url << '\n';
    std::rename((path + ".new").c_str(), path.c_str());
}

Result<void> serve(const Options& options, const sigset_t& until) {
    prometheus::Registry registry;
    HF_TRY(auto listen, parse_listen(options.listen));
    HF_TRY(auto engine, Engine::open(options.engine, registry));
    NodeServer server(*engine, registry, {.listen = listen, .token = {}});
    HF_TRY(auto url, server.start());
    write_address(options.address_file, url);
    int signal = 0;
    ::sigwait(&until, &signal);
    return {};
}

}  // namespace

int main(int count, char** values) {
    sigset_t until;
    ::sigemptyset(&until);
    ::sigaddset(&until, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &until, nullptr);
    log::set_level(log::Level::warn);
    Options options;
    for (int i = 2; i + 1 < count; i += 2)
        if (!read_option(values[i], values[i + 1], options)) return 2;
    const char* path = std::getenv(holdfast::testing::effects_variable);
    const EffectLog effects(path ? path : "/dev/null");
    RelayProgram relay(effects);
    PoisonProgram poison(effects);
    Programs programs;
    programs.add("relay", relay);
    programs.add("poison", poison);
    options.engine.programs = &programs;
    options.engine.prepare = [&](Engine& engine) {
        relay.use(engine);
        define(engine, "relay");
        define(engine, "poison");
    };
    const auto served = serve(options, until);
    if (!served) std::fprintf(stderr, "fault_node: %s\n", served.error().message.c_str());
    return served ? 0 : 1;
}
