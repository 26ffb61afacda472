#include "node/engine.h"

#include <unistd.h>

#include "base/log.h"
#include "base/threads/pause.h"
#include "http/input/list_query.h"
#include "store/options.h"

namespace holdfast {
namespace {

std::string node_name(const EngineOptions& options) {
    if (!options.node.empty()) return options.node;
    char host[256] = "node";
    ::gethostname(host, sizeof host - 1);
    return std::string(host) + "-" + std::to_string(::getpid());
}

}  // namespace

Engine::Engine(const EngineOptions& options, prometheus::Registry& registry)
    : node_(node_name(options)),
      webhook_rules_(options.webhooks),
      metrics_(registry),
      pump_metrics_(registry),
      signals_(options.programs ? *options.programs : no_programs_, options.pump, pump_metrics_,
               options.workers),
      workflow_log_(registry),
      spans_(registry),
      webhook_posts_(prometheus::BuildCounter()
                         .Name("holdfast_webhook_posts_total")
                         .Help("Posts to webhooks by this node, by outcome.")
                         .Register(registry)) {}

Result<std::unique_ptr<Engine>> Engine::open(const EngineOptions& options,
                                             prometheus::Registry& registry) {
    HF_CHECK(check(options.pump));
    HF_CHECK(check(options.retention));
    std::unique_ptr<Engine> engine(new Engine(options, registry));
    if (options.trace_rounds) {
        HF_TRY(engine->trace_, RoundTrace::open(*options.trace_rounds));
    }
    HF_TRY(engine->store_,
           open_store(options.store, {.clock = &engine->clock_,
                                      .writers = options.writers,
                                      .readers = options.readers,
                                      .allow_weak_durability = options.allow_weak_durability,
                                      .file_lost = options.file_lost}));
    HF_CHECK(engine->open_coordinator(options));
    if (options.prepare) options.prepare(*engine);
    engine->start(options);
    if (options.otlp_endpoint)
        HF_CHECK(engine->spans_.start(*engine->store_,
                                      {.endpoint = *options.otlp_endpoint, .node = engine->node_}));
    return engine;
}

Result<void> Engine::open_coordinator(const EngineOptions& options) {
    const Programs& programs = options.programs ? *options.programs : no_programs_;
    life_.emplace(
        *store_, ids_, pump_metrics_,
        NodeLife::Options{.name = node_, .lease = options.pump.lease, .programs = programs.keys()},
        [this](const NodeId& life) { signals_.drop(life); });
    HF_CHECK(life_->join());
    HF_TRY(coordinator_,
           Coordinator::open(
               *store_, ids_, metrics_,
               {.node = node_,
                .self = [this] { return signals_.self(life_->id()); },
                .limits = {.queue = options.queue},
                .listeners = {&timers_, &signals_, &stranded_, &announcer_, &retention_thread_,
                              &feed_, &bulk_, &workflow_log_, &webhooks_, &spans_},
                .trace = trace_.get()}));
    return {};
}

void Engine::start(const EngineOptions& options) {
    retention_.emplace(Pruner::Parts{.store = *store_,
                                     .ids = ids_,
                                     .metrics = pump_metrics_,
                                     .cancel =
                                         [this](std::vector<op::Cancel> operations) {
                                             return coordinator_->run_all(std::move(operations));
                                         },
                                     .node = node_,
                                     .pause = pause_for},
                       options.retention);
    timers_.start(*store_, *coordinator_, ids_, pump_metrics_);
    signals_.start(*store_, *coordinator_, ids_, *life_);
    start_stranded(options.pump.missing_program_after);
    recovery_.emplace(*store_, *coordinator_, ids_);
    retention_thread_.start(*retention_);
    bulk_.start({.store = *store_,
                 .coordinator = *coordinator_,
                 .ids = ids_,
                 .node = node_,
                 .read_query = http::read_filters,
                 .lock_time = options.pump.lease});
    clock_watch_.start(clock_, [this] { look_at_everything(); });
    indexes_.start(*store_);
    feed_.start(*store_, *store_, {.announce_follower = [this] { announce_follower(); }});
    start_webhooks(options.pump.lease);
    if (store_->is_shared()) start_sharing(options);
}

void Engine::start_webhooks(std::chrono::microseconds lock_time) {
    if (webhook_rules_.secret.empty()) return;
    webhooks_.start(
        {.store = *store_,
         .feed = feed_,
         .coordinator = *coordinator_,
         .ids = ids_,
         .clock = clock_,
         .node = node_,
         .rules = webhook_rules_,
         .lock_time = lock_time,
         .count = [this](http::WebhookAnswer::Outcome outcome) {
             webhook_posts_.Add({{"outcome", std::string(http::text_of(outcome))}}).Increment();
         }});
}

void Engine::start_stranded(std::chrono::microseconds after) {
    if (after.count() == 0) return;
    stranded_.start({.store = *store_,
                     .ids = ids_,
                     .metrics = pump_metrics_,
                     .report =
                         [this](std::vector<op::ReportStranded> operations) {
                             return coordinator_->run_all(std::move(operations));
                         }},
                    after);
}

void Engine::start_sharing(const EngineOptions& options) {
    announcer_.start(*store_, pump_metrics_);
    listener_.start(*store_, {.listening =
                                  [this] {
                                      look_at_everything();
                                      announcer_.announce_self();
                                  },
                              .received = [this](const Announcement& it) { hear(it); }});
    beats_.start(
        *life_,
        {.before_beat = [this] { signals_.expect_beat(); },
         .beat =
             [this, after = options.beat, others = std::size_t{0}](const Beat& beat) mutable {
                 announcer_.set_other_nodes(beat.others);
                 announcer_.set_followed(beat.followed ? Following::yes : Following::no);
                 feed_.note_newest(beat.newest_change);
                 if (std::exchange(others, beat.others) > beat.others) {
                     log::warn("nodes.fewer",
                               {{"others", beat.others},
                                {"next", "the work of those that are gone is taken over"}});
                     stranded_.look_soon();
                     bulk_.look_soon();
                     webhooks_.look_for_webhooks();
                 }
                 if (beat.due_at) timers_.note_due(*beat.due_at);
                 signals_.apply_beat(beat);
                 if (after) after();
             },
         .rejoined = [this] { look_at_everything(); }});
}

void Engine::announce_follower() {
    if (store_->is_shared()) announcer_.announce_follower();
}

void Engine::look_at_everything() {
    timers_.look_now();
    signals_.look_now();
    stranded_.look_soon();
    coordinator_->anything_changed();
    feed_.look_now();
}

void Engine::hear(const Announcement& announcement) {
    pump_metrics_.announcements_heard.Increment();
    announcer_.saw_other_node();
    if (announcement.signals) {
        signals_.look_now();
        stranded_.look_soon();
    }
    if (announcement.due) timers_.note_due(*announcement.due);
    if (announcement.follows) announcer_.set_followed(Following::yes);
    if (announcement.changes) feed_.look_now();
    if (announcement.everyone)
        coordinator_->anything_changed();
    else
        coordinator_->changed_elsewhere(announcement.awaken);
}

Engine::~Engine() { stop(); }

void Engine::stop() {
    if (std::exchange(stopped_, true)) return;
    indexes_.stop();
    clock_watch_.stop();
    listener_.stop();
    retention_thread_.stop();
    bulk_.stop();
    webhooks_.stop();
    spans_.stop();
    if (recovery_) recovery_->stop();
    timers_.stop();
    stranded_.stop();
    signals_.stop();
    beats_.stop();
    announcer_.stop();
    feed_.stop();
    if (life_) {
        if (auto left = life_->leave(); !left)
            log::warn("node.leave_failed", {{"message", left.error().message},
                                            {"next", "other nodes take over after its lease"}});
    }
    if (coordinator_) coordinator_->shutdown();
}

}  // namespace holdfast
