// Every composite operation with every other, as two sessions on PostgreSQL, in every order of
// their round trips: the result equals that of one of the two serial orders (I1, I2, I6, I14, I19).
#include <array>
#include <iostream>
#include <regex>
#include <span>

#include "operations/operation_codec.h"
#include "support/mail_audit.h"
#include "support/mail_world.h"
#include "support/round_session.h"
#include "support/tally/tally.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

// The state of the order before the two operations. Queued: running, with a queued broadcast.
// Crowded: suspended, and another instance waits for the same name. Parallel: two waits at once.
// Tasked: running, with a task that nobody has claimed. Asking: waits for a task that Ann holds.
enum class Start { running, suspended, paused, queued, crowded, parallel, tasked, asking };
constexpr std::array starts = {Start::running, Start::suspended, Start::paused,
                               Start::queued,  Start::crowded,   Start::parallel};
constexpr std::array starts_with_task = {Start::tasked, Start::asking};

const char* name_of(Start start) {
    switch (start) {
        case Start::running: return "running";
        case Start::suspended: return "suspended";
        case Start::paused: return "paused";
        case Start::queued: return "queued";
        case Start::crowded: return "crowded";
        case Start::parallel: return "parallel";
        case Start::tasked: return "tasked";
        case Start::asking: return "asking";
    }
    return "";
}

// The data of one schedule; each has its own ids, all have the same labels.
struct Scene {
    InstanceId order;    // most operations are about it
    InstanceId other;    // runs, and may wait for the same name
    InstanceId awaited;  // a child of the order, which waits for its end
    std::string name;
    TokenId token;   // of the order's wait
    HumanTask task;  // of the order
    std::vector<EventId> events;
    std::map<std::string, std::string> labels;

    void label(const std::string& text, std::string as) { labels[text] = std::move(as); }
};

struct Maker {
    MailWorld& world;
    Scene& scene;
    std::string session;  // "A" or "B"
    std::string& outcome;

    template <class Op>
    Work operation(Op op) const {
        op.cause = world.cause(std::move(op.cause.caller.user));
        return work_of(std::make_shared<QueuedOperationOf<Op>>(
            std::move(op), [&outcome = outcome](Result<typename Op::Outcome> result) {
                outcome = result ? boost::json::serialize(op::outcome_json(*result))
                                 : result.error().message;
            }));
    }
    Work suspend(const InstanceId& id, std::vector<InstanceId> workflows) const {
        return operation(op::Suspend{.cause = {},
                                     .instance = id,
                                     .run = {1, 0},
                                     .wait = {.names = {scene.name},
                                              .until = world.clock.now() + 1h,
                                              .workflows = std::move(workflows)}});
    }
    Work send(std::optional<InstanceId> target, const std::string& suffix = "") const {
        const auto event = world.ids.next<EventId>();
        scene.events.push_back(event);
        scene.label(to_string(event), "event-" + session);
        return operation(op::SendEvent{.cause = {},
                                       .event = event,
                                       .event_name = scene.name + suffix,
                                       .target = target,
                                       .value = document("1")});
    }
    template <class Op>
    Work on_task(const std::string& user = "ann") const {
        Op op;
        op.instance = scene.order;
        op.task = scene.task.id;
        op.cause.caller.user = user;
        return operation(std::move(op));
    }
    // At the index after that of its task.
    Work ask() const {
        return operation(op::Suspend{.cause = {},
                                     .instance = scene.order,
                                     .run = {1, 1},
                                     .wait = {.names = {event_name_of(scene.task.id)}}});
    }
    Work create_task() const {
        return operation(op::CreateTask{.cause = {},
                                        .instance = scene.order,
                                        .run = {1, 1},
                                        .step_name = "task-" + session,
                                        .spec = {.name = "approve"}});
    }
};

enum class Locks { order, others };  // others: it may not need the order's lock

struct Kind {
    const char* name;
    Locks locks;
    Work (*make)(const Maker&);
};

// Of the second wait of an order that has two.
constexpr const char* stop = "-stop";

constexpr Kind kinds[] = {
    {"suspend", Locks::order,
     [](const Maker& m) { return m.suspend(m.scene.order, {m.scene.awaited}); }},
    {"send targeted", Locks::order, [](const Maker& m) { return m.send(m.scene.order); }},
    {"send broadcast", Locks::others, [](const Maker& m) { return m.send(std::nullopt); }},
    {"fire timer", Locks::order,
     [](const Maker& m) {
         return m.operation(
             op::FireTimer{.cause = {}, .instance = m.scene.order, .token = m.scene.token});
     }},
    {"finish", Locks::order,
     [](const Maker& m) {
         return m.operation(op::Finish{.cause = {}, .instance = m.scene.order, .run = {1, 0}});
     }},
    {"cancel", Locks::order,
     [](const Maker& m) {
         return m.operation(op::Cancel{.cause = {}, .instance = m.scene.order});
     }},
    {"record step", Locks::order,
     [](const Maker& m) {
         return m.operation(op::RecordStep{.cause = {},
                                           .instance = m.scene.order,
                                           .run = {1, 0},
                                           .step_name = "step-" + m.session});
     }},
    {"pause", Locks::order,
     [](const Maker& m) { return m.operation(op::Pause{.cause = {}, .instance = m.scene.order}); }},
    {"resume", Locks::order,
     [](const Maker& m) {
         return m.operation(op::Resume{.cause = {}, .instance = m.scene.order});
     }},
    {"continue as", Locks::order,
     [](const Maker& m) {
         return m.operation(op::ContinueAs{.cause = {}, .instance = m.scene.order, .run = {1, 0}});
     }},
    {"send stop", Locks::order, [](const Maker& m) { return m.send(m.scene.order, stop); }},
    {"suspend other", Locks::others, [](const Maker& m) { return m.suspend(m.scene.other, {}); }},
    {"finish awaited", Locks::others,
     [](const Maker& m) {
         return m.operation(op::Finish{.cause = {}, .instance = m.scene.awaited, .run = {1, 0}});
     }},
};

constexpr Kind task_kinds[] = {
    {"create task", Locks::order, [](const Maker& m) { return m.create_task(); }},
    {"claim task", Locks::order,
     [](const Maker& m) { return m.on_task<op::ClaimTask>("user-" + m.session); }},
    {"release task", Locks::order, [](const Maker& m) { return m.on_task<op::ReleaseTask>(); }},
    {"complete task", Locks::order, [](const Maker& m) { return m.on_task<op::CompleteTask>(); }},
    {"fail task", Locks::order, [](const Maker& m) { return m.on_task<op::FailTask>(); }},
    {"cancel task", Locks::order, [](const Maker& m) { return m.on_task<op::CancelTask>(); }},
    {"ask", Locks::order, [](const Maker& m) { return m.ask(); }},
    {"cancel", Locks::order,
     [](const Maker& m) {
         return m.operation(op::Cancel{.cause = {}, .instance = m.scene.order});
     }},
    {"pause", Locks::order,
     [](const Maker& m) { return m.operation(op::Pause{.cause = {}, .instance = m.scene.order}); }},
};

// The orders of two round trips of A and two of B; the first two are serial.
constexpr std::array<const char*, 6> schedules = {"AABB", "BBAA", "ABAB", "ABBA", "BABA", "BAAB"};

// All stored rows of a scene without times, one line per row.
constexpr const char* dump_sql = R"sql(
    select coalesce(string_agg(line, chr(10) order by line collate "C"), '') from (
    select format('instance %s %s paused=%s version=%s rev=%s run=%s index=%s waiting=%s result=%s',
                  id, status, paused, version, rev, run, activity_index, waiting_kind, result)
           as line from instances where id = any($1::uuid[])
    union all select format('wait %s %s', name, instance_id) from waits where name = $2::text
    union all select format('completion %s %s', awaited_id, instance_id)
              from completion_waits where instance_id = any($1)
    union all select format('timer %s', instance_id) from timers where instance_id = any($1)
    union all select format('step %s %s %s %s', instance_id, activity_index, name, value)
              from steps where instance_id = any($1)
    union all select format('winner %s %s %s %s', instance_id, activity_index, type, name)
              from winning_conditions where instance_id = any($1)
    union all select format('pending %s %s', event_id, target_id)
              from pending_events where name = $2
    union all select format('fate %s %s %s %s', event_id, instance_id, fate, activity_index)
              from event_fates where name = $2
    union all select format('dead %s', event_id) from dead_events where name = $2
    union all select format('waiting %s %s', instance_id, count(*))
              from parallel_waits where instance_id = any($1) group by instance_id
    union all select format('task %s %s %s %s %s', instance_id, name, state, holder, version)
              from tasks where instance_id = any($1)
    union all select format('task event %s %s %s %s', instance_id, version, type, user_id)
              from task_events where instance_id = any($1)
    union all select format('history %s %s %s', instance_id, version, type)
              from history where instance_id = any($1)) lines)sql";

struct Played {
    std::array<std::string, 2> outcomes;
    std::string dump;
    bool blocked = false;

    bool same_result(const Played& other) const {
        return outcomes == other.outcomes && dump == other.dump;
    }
    std::string text() const {
        return "A " + outcomes[0] + "\nB " + outcomes[1] + '\n' + dump + '\n';
    }
};

class Isolation : public ::testing::Test {
protected:
    Isolation()
        : world("postgres"),
          database(
              *postgres::Connection::open({world.place.url(), 30s}, postgres::Role::maintenance)),
          watcher(shared_postgres().url(), database_name()),
          a(world, watcher),
          b(world, watcher) {
        register_tally();
    }

    std::string database_name() {
        database->queue_once("select current_database()::text");
        return database->exchange()->back()[0].text();
    }
    std::uint64_t number(const char* sql, const postgres::Parameters& parameters = {}) {
        database->queue_once(sql, parameters);
        auto results = database->exchange();
        if (!results) throw std::runtime_error(results.error().message);
        return results->back()[0].int8();
    }

    Scene scene(Start start) {
        Scene made;
        Instance order = world.fresh_instance();
        Instance other = world.fresh_instance();
        Instance awaited = world.fresh_instance();
        if (start == Start::parallel) order = tally("go-" + to_string(order.id));
        awaited.parent = order.id;
        made.order = order.id;
        made.other = other.id;
        made.awaited = awaited.id;
        made.name = start == Start::parallel ? order.definition.key : "go-" + to_string(order.id);
        made.label(made.name, "go");
        made.label(to_string(order.id), "order");
        made.label(to_string(other.id), "other");
        made.label(to_string(awaited.id), "awaited");
        order.paused = start == Start::paused;
        if (start == Start::parallel) made.token = order.waits.front().token;
        if (start == Start::suspended || start == Start::paused || start == Start::crowded) {
            order.status = Status::suspended;
            order.waits = {world.waiting({.names = {made.name},
                                          .until = world.clock.now() - 1h,
                                          .workflows = {awaited.id}})};
            made.token = order.waits.front().token;
        }
        if (start == Start::crowded) {
            other.status = Status::suspended;
            other.waits = {world.waiting({.names = {made.name}})};
        }
        ReadSet reads;
        for (const Instance* one : {&order, &other, &awaited}) reads.instance(one->id, Depth::row);
        reads.broadcasts(channel(made.name));  // inserting a new channel would act as a lock
        world.round(reads, [&](View& view) {
            for (const Instance* one : {&order, &other, &awaited})
                if (!view.find(one->id)) MailWorld::insert(view, *one, world.cause());
        });
        if (start == Start::tasked || start == Start::asking) add_task(made, start);
        if (start == Start::queued) {
            const Event event = world.queued(made.name);
            made.events.push_back(event.id);
            made.label(to_string(event.id), "event-before");
        }
        return made;
    }

    // An order of a program with two waits at a time.
    Instance tally(const std::string& name) {
        const std::string source = to_text({.tick = name, .stop = name + stop});
        world.run(op::Define{.cause = world.cause(),
                             .key = name,
                             .kind = std::string(tally_kind),
                             .source = source,
                             .program = tally_program(source)});
        return world.read(world.start(name, "{}").id);
    }
    void add_task(Scene& made, Start start) {
        const auto created = world.run(op::CreateTask{.cause = world.cause(),
                                                      .instance = made.order,
                                                      .run = {1, 0},
                                                      .step_name = "task",
                                                      .spec = {.name = "approve"}});
        made.task = std::get<op::TaskCreated>(created).task;
        made.label(to_string(made.task.id), "task");
        if (start == Start::tasked) return;
        world.run(op::ClaimTask{
            .cause = world.cause("ann"), .instance = made.order, .task = made.task.id});
        world.run(op::Suspend{.cause = world.cause(),
                              .instance = made.order,
                              .run = {1, 1},
                              .wait = {.names = {event_name_of(made.task.id)}}});
    }

    // Replaces ids with labels, and times, hashes and other ids with placeholders.
    static std::string canonical(std::string text, const Scene& scene) {
        static const std::regex times(R"(\d{4}-\d\d-\d\dT[0-9:.]+Z)");
        static const std::regex ids(R"([0-9a-f]{8}-[0-9a-f-]{27})");
        static const std::regex hashes(R"([0-9a-f]{64})");
        for (const auto& [id, label] : scene.labels)  // names first: they contain ids
            if (id.starts_with("go-")) replace_all(text, id, label);
        for (const auto& [id, label] : scene.labels) replace_all(text, id, label);
        // Waits are listed by their tokens, which are random.
        replace_all(text, std::string("go") + stop, "go");
        text = std::regex_replace(text, times, "TIME");
        text = std::regex_replace(text, hashes, "HASH");
        return std::regex_replace(text, ids, "ID");
    }
    static void replace_all(std::string& text, const std::string& from, const std::string& to) {
        for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at))
            text.replace(at, from.size(), to);
    }

    std::string dump(const Scene& scene) {
        postgres::Parameters parameters;
        parameters.array(std::vector{scene.order, scene.other, scene.awaited}).add(scene.name);
        database->queue_once(dump_sql, parameters);
        auto results = database->exchange();
        if (!results) throw std::runtime_error(results.error().message);
        return canonical(results->back()[0].text(), scene);
    }

    void play(const char* schedule, std::array<Work, 2> operations, Played& run) {
        std::array<RoundSession*, 2> sessions = {&a, &b};
        std::array<bool, 2> begun = {false, false};
        for (const char* step = schedule; *step; ++step) {
            const std::size_t who = *step == 'A' ? 0 : 1;
            run.blocked |= begun[who] ? sessions[who]->write()
                                      : sessions[who]->load(std::move(operations[who]));
            begun[who] = true;
        }
        EXPECT_EQ(a.finish(), "");
        EXPECT_EQ(b.finish(), "");
    }

    Played run(const Kind& first, const Kind& second, Start start, const char* schedule) {
        Scene made = scene(start);
        Played run;
        const Maker of_a{world, made, "A", run.outcomes[0]};
        const Maker of_b{world, made, "B", run.outcomes[1]};
        play(schedule, {first.make(of_a), second.make(of_b)}, run);
        for (std::string& outcome : run.outcomes) outcome = canonical(outcome, made);
        run.dump = dump(made);
        check_events(made, run);
        return run;
    }

    void play_all(const Kind& first, const Kind& second, Start start) {
        std::vector<Played> runs;
        for (const char* schedule : schedules) {
            runs.push_back(run(first, second, start, schedule));
            const Played& last = runs.back();
            const std::string title = std::string(name_of(start)) + ": " + first.name + " with " +
                                      second.name + " as " + schedule + '\n' + last.text();
            const bool overlaps = runs.size() > 2;
            const bool must_block =
                overlaps && first.locks == Locks::order && second.locks == Locks::order;
            EXPECT_TRUE(last.same_result(runs[0]) || last.same_result(runs[1]) || !overlaps)
                << title << "-- serial\n"
                << runs[0].text() << runs[1].text();
            EXPECT_FALSE(last.blocked && !overlaps) << title;
            EXPECT_TRUE(last.blocked || !must_block) << title;
            ++counts.schedules;
            counts.had_to_block += must_block ? 1 : 0;
            counts.blocked += last.blocked ? 1 : 0;
        }
        ++counts.pairs;
    }

    void play_pairs(std::span<const Kind> of, Start start) {
        for (std::size_t i = 0; i < of.size(); ++i)
            for (std::size_t j = i; j < of.size(); ++j) play_all(of[i], of[j], start);
    }

    // An accepted event is in exactly one table, any other in none.
    void check_events(const Scene& made, const Played& run) {
        for (const EventId& event : made.events) {
            const std::string& label = made.labels.at(to_string(event));
            const std::size_t sender = label == "event-B" ? 1 : 0;
            const bool accepted =
                label == "event-before" || run.outcomes[sender].find(label) != std::string::npos;
            const auto misplaced =
                number(misplaced_sql, postgres::Parameters().array(std::vector{event}));
            EXPECT_EQ(misplaced, accepted ? 0u : 1u) << label << '\n' << run.text();
        }
    }

    MailWorld world;
    std::unique_ptr<postgres::Connection> database;
    SessionWatcher watcher;
    RoundSession a;
    RoundSession b;
    struct {
        std::size_t pairs = 0;
        std::size_t schedules = 0;
        std::size_t had_to_block = 0;
        std::size_t blocked = 0;
    } counts;
};

TEST_F(Isolation, EveryScheduleOfTwoOperationsIsLikeASerialOne) {
    for (const Start start : starts) play_pairs(kinds, start);
    for (const Start start : starts_with_task) play_pairs(task_kinds, start);

    std::cout << counts.pairs << " pairs x " << schedules.size() << " schedules, " << counts.blocked
              << " of them waited for a lock\n";
    EXPECT_EQ(counts.pairs, 6u * 91 + 2 * 45);
    EXPECT_EQ(counts.schedules, counts.pairs * 6);
    // 55 of the 91 pairs lock the order twice, and all with a task; 4 of the 6 schedules overlap.
    EXPECT_EQ(counts.had_to_block, (6u * 55 + 2 * 45) * 4);
    EXPECT_GE(counts.blocked, counts.had_to_block);
    EXPECT_EQ(number(violations_sql), 0u) << "in the final state";
    a.close();
    b.close();
    EXPECT_EQ(watcher.deadlocks(), 0u);
}

// The control: these tests detect an operation that does not take its lock.
TEST_F(Isolation, ASuspendThatDoesNotLockItsNameLosesTheEvent) {
    Scene made = scene(Start::running);
    Played played;
    const Work careless{.reads = [&](ReadSet& reads) { reads.instance(made.order, Depth::row); },
                        .decide = [&](View& view) -> std::optional<LoadMore> {
                            Instance& order = view.edit(made.order);
                            order.status = Status::suspended;
                            order.waits = {world.waiting({.names = {made.name}})};
                            view.register_wait(order.id, order.waits.front());
                            return std::nullopt;
                        }};
    const Maker of_b{world, made, "B", played.outcomes[1]};
    play("ABBA", {careless, of_b.send(std::nullopt)}, played);
    EXPECT_FALSE(played.blocked);
    EXPECT_EQ(number(violations_sql), 1u) << dump(made);

    made = scene(Start::running);
    const Maker a_of{world, made, "A", played.outcomes[0]};
    const Maker b_of{world, made, "B", played.outcomes[1]};
    play("ABBA", {a_of.suspend(made.order, {}), b_of.send(std::nullopt)}, played);
    EXPECT_TRUE(played.blocked);
    EXPECT_EQ(number(violations_sql), 1u) << "a new violation\n" << dump(made);
}

}  // namespace
}  // namespace holdfast::testing
