#include "store/postgres/load/load.h"

#include "store/postgres/load/decode.h"
#include "store/postgres/load/load_mail.h"
#include "store/postgres/load/load_signals.h"
#include "store/postgres/read/tasks.h"

namespace holdfast::postgres {
namespace {

constexpr auto second_of = [](const auto& pair) -> const auto& { return pair.second; };

class Load {
public:
    Load(Connection& connection, const ReadSet& reads, const LoadContext& context)
        : connection_(connection),
          reads_(reads),
          context_(context),
          cache_(context.definitions),
          mail_(reads, loaded_, [this](const InstanceId& id) { return rows_.contains(id); }) {}

    Reply<Loaded> run() {
        Trip trip(connection_);
        trip.query("begin_round", {}, ignore);
        lock_channels(trip, reads_, context_.channel_lock, context_.channels);
        query_instances(trip);
        query_signals(trip, reads_, loaded_.signals);
        query_documents(trip);
        query_children(trip);
        query_lineages(trip);
        query_newest_definitions(trip);
        query_states(trip);
        query_checkpoints(trip);
        query_answers(trip);
        mail_.query(trip);
        query_tasks(trip, reads_, loaded_);
        trip.query_rows("read_clock", {}, [this](Row& row) { loaded_.now = row.moment(); });
        if (auto done = trip.run(); !done) return std::unexpected(done.error());
        if (strangers_)
            if (auto done = find_misplaced(); !done) return std::unexpected(done.error());
        if (auto done = load_parallel_waits(); !done) return std::unexpected(done.error());
        for (auto& [id, row] : rows_) add_instance(id, row);
        if (auto done = load_definitions(); !done) return std::unexpected(done.error());
        return std::move(loaded_);
    }

private:
    template <class Wanted>
    std::vector<InstanceId> ids(Wanted wanted) const {
        std::vector<InstanceId> ids;
        for (const auto& [id, need] : reads_.instances())
            if (wanted(need)) ids.push_back(id);
        return ids;
    }

    // Locks all instances that the round may change, named or found by a wait, in one pass by id.
    void query_instances(Trip& trip) {
        const bool waiters = mail_.wants_waiters();
        if (reads_.instances().empty() && !waiters) return;
        Parameters parameters = std::move(Parameters().array(reads_.instances(), key_of));
        if (waiters) mail_.add_waiters(parameters);
        trip.query(waiters ? "lock_instances_and_waiters" : "lock_instances", parameters,
                   [this, waiters](const Rows& rows) -> Reply<void> {
                       for (Row row : rows)
                           if (auto taken = take_instance(row, waiters); !taken) return taken;
                       return {};
                   });
    }

    // A statement that joins also returns the id that the row answers for.
    Reply<void> take_instance(Row& row, bool joined) {
        InstanceRow found = instance_row(row);
        if (auto checked = check_version(found); !checked) return checked;
        const InstanceId id = joined ? row.id<InstanceId>() : found.row.instance.id;
        if (!joined && !reads_.instances().contains(id))
            strangers_ = true;
        else
            rows_.emplace(id, std::move(found));
        return {};
    }

    // An index answered with rows that nobody asked for: asks for each missing id alone, to learn
    // which ones it answers wrongly.
    Reply<void> find_misplaced() {
        for (const auto& [id, need] : reads_.instances()) {
            if (rows_.contains(id)) continue;
            Trip trip(connection_);
            const std::vector<InstanceId> alone{id};
            trip.query_rows("lock_instances", Parameters().array(alone),
                            [&](Row& row) { rows_.emplace(id, instance_row(row)); });
            if (auto done = trip.run(); !done) return done;
        }
        return {};
    }

    void query_documents(Trip& trip) {
        const auto wanted =
            ids([](const ReadSet::Need& need) { return need.depth >= Depth::document; });
        if (wanted.empty()) return;
        trip.query("load_documents", Parameters().array(wanted),
                   [this, wanted](const Rows& rows) -> Reply<void> {
                       std::map<InstanceId, std::size_t> places;
                       for (std::size_t i = 0; i < rows.size(); ++i)
                           places.emplace(rows[i].id<InstanceId>(), i);
                       for (const InstanceId& id : wanted) take_documents(id, rows, places);
                       return {};
                   });
    }

    void take_documents(const InstanceId& id, const Rows& rows,
                        const std::map<InstanceId, std::size_t>& places) {
        const auto found = rows_.find(id);
        if (found == rows_.end()) return;
        const auto place = places.find(id);
        if (place == places.end()) return expect_no_documents(found->second);
        Row row = rows[place->second];
        row.uuid();  // skips the key
        add_documents(found->second, row);
    }

    template <class Child>
    Trip::OnRows into(std::vector<Child> ChildRows::* list, Child (*read)(Row&)) {
        return [this, list, read](const Rows& rows) -> Reply<void> {
            for (Row row : rows) {
                const auto id = row.id<InstanceId>();
                (children_[id].*list).push_back(read(row));
            }
            return {};
        };
    }

    void query_children(Trip& trip) {
        const auto wanted =
            ids([](const ReadSet::Need& need) { return need.depth == Depth::whole; });
        if (wanted.empty()) return;
        const Parameters parameters = std::move(Parameters().array(wanted));
        trip.query("load_activities", parameters, into(&ChildRows::activities, activity_row));
        trip.query("load_variables", parameters, into(&ChildRows::variables, variable_row));
        trip.query("load_conditions", parameters, into(&ChildRows::conditions, condition_row));
        trip.query("load_forks", parameters, into(&ChildRows::forks, fork_row));
    }

    void query_lineages(Trip& trip) {
        const auto wanted =
            ids([](const ReadSet::Need& need) { return need.past == Past::looked_up; });
        if (wanted.empty()) return;
        trip.query("load_lineages", Parameters().array(wanted),
                   [this](const Rows& rows) -> Reply<void> {
                       for (Row row : rows) {
                           const auto id = row.id<InstanceId>();
                           const Version version = row.int8();
                           const Digest hash = row.digest();
                           loaded_.lineages[id] = {version, hash, row.text()};
                       }
                       return {};
                   });
    }

    void query_newest_definitions(Trip& trip) {
        if (reads_.definitions().empty()) return;
        Parameters parameters;
        parameters.array(reads_.definitions(), &TenantKey::tenant);
        parameters.array(reads_.definitions(), &TenantKey::key);
        parameters.array(reads_.definitions(),
                         [this](const TenantKey& key) { return keep_newest(key); });
        trip.query("load_newest_definitions", parameters, [this](const Rows& rows) -> Reply<void> {
            for (const Row& row : rows) {
                auto definition = known_or_read(row);
                if (!definition) return std::unexpected(definition.error());
                loaded_.newest[{(*definition)->tenant, (*definition)->ref.key}] = *definition;
            }
            return {};
        });
    }

    // Keeps the definition until the result has arrived: another thread may clear the cache.
    std::uint32_t keep_newest(const TenantKey& key) {
        auto known = cache_.newest(key);
        if (!known) return 0;
        const std::uint32_t version = known->ref.version;
        known_.insert_or_assign({key.tenant, known->ref}, std::move(known));
        return version;
    }

    Reply<std::shared_ptr<const Definition>> known_or_read(Row row) {
        const std::string tenant = row.text();
        const std::string key = row.text();
        if (const auto known = known_.find({tenant, {key, row.int4()}}); known != known_.end())
            return known->second;
        auto definition = definition_row(row);
        if (definition) cache_.add(*definition);
        return definition;
    }

    void query_states(Trip& trip) {
        if (reads_.states().empty()) return;
        Parameters parameters;
        parameters.array(reads_.states(), key_of).array(reads_.states(), second_of);
        trip.query("load_states", parameters, [this](const Rows& rows) -> Reply<void> {
            for (Row row : rows) {
                const auto id = row.id<InstanceId>();
                StateAt& at = loaded_.states[{id, row.int8()}];
                at.state = canonical_document(row.text());
                at.state_metadata = canonical_document(row.text());
            }
            return {};
        });
    }

    void query_checkpoints(Trip& trip) {
        if (reads_.checkpoints().empty()) return;
        Parameters parameters;
        parameters.array(reads_.checkpoints(), key_of).array(reads_.checkpoints(), second_of);
        trip.query("load_checkpoints", parameters, [this](const Rows& rows) -> Reply<void> {
            for (Row row : rows) {
                Checkpoint checkpoint = checkpoint_row(row);
                ReadSet::CheckpointName name{checkpoint.instance, checkpoint.name};
                loaded_.checkpoints.emplace(std::move(name), std::move(checkpoint));
            }
            return {};
        });
    }

    void query_answers(Trip& trip) {
        if (reads_.answers().empty()) return;
        Parameters parameters;
        parameters.array(reads_.answers(), &TenantKey::tenant);
        parameters.array(reads_.answers(), &TenantKey::key);
        trip.query("load_answers", parameters, [this](const Rows& rows) -> Reply<void> {
            for (Row row : rows) {
                KeyedOutcome answer = answer_row(row);
                TenantKey key = answer.key;
                loaded_.answers.emplace(std::move(key), std::move(answer));
            }
            return {};
        });
    }

    // Rare, and which instances have several waits is known only now.
    Reply<void> load_parallel_waits() {
        std::vector<InstanceId> wanted;
        for (const auto& [id, row] : rows_)
            if (row.several_waits) wanted.push_back(id);
        if (wanted.empty()) return {};
        Trip trip(connection_);
        trip.query_rows("load_parallel_waits", Parameters().array(wanted), [this](Row& row) {
            const auto id = row.id<InstanceId>();
            add_waits(rows_.at(id), row.text());
        });
        return trip.run();
    }

    void add_instance(const InstanceId& id, InstanceRow& row) {
        if (const auto found = children_.find(id); found != children_.end())
            row.row.instance.children = from_rows(std::move(found->second));
        hide_if_misplaced(row, id);
        loaded_.instances.emplace(id, std::move(row.row));
    }

    // The definition versions of the loaded instances, and those that are asked for. Version 0
    // means that the key is not defined.
    Reply<void> load_definitions() {
        std::set<TenantRef> missing;
        const auto want = [&](TenantRef wanted) {
            if (wanted.ref.version == 0 || loaded_.definitions.contains(wanted)) return;
            if (auto known = cache_.find(wanted))
                loaded_.definitions.emplace(std::move(wanted), std::move(known));
            else
                missing.insert(std::move(wanted));
        };
        for (const auto& [id, row] : loaded_.instances)
            want({row.instance.tenant, row.instance.definition});
        for (const TenantRef& wanted : reads_.definition_versions()) want(wanted);
        if (missing.empty()) return {};
        Parameters parameters;
        parameters.array(missing, &TenantRef::tenant);
        parameters.array(missing, [](const TenantRef& one) { return one.ref.key; });
        parameters.array(missing, [](const TenantRef& one) { return one.ref.version; });
        Trip trip(connection_);
        trip.query("load_definitions", parameters, [this](const Rows& rows) -> Reply<void> {
            for (Row row : rows) {
                auto definition = definition_row(row);
                if (!definition) return std::unexpected(definition.error());
                cache_.add(*definition);
                loaded_.definitions.emplace(TenantRef{(*definition)->tenant, (*definition)->ref},
                                            *definition);
            }
            return {};
        });
        return trip.run();
    }

    Connection& connection_;
    const ReadSet& reads_;
    LoadContext context_;
    DefinitionCache& cache_;
    Loaded loaded_;
    MailLoad mail_;
    std::map<InstanceId, InstanceRow> rows_;
    bool strangers_ = false;  // rows came that were not asked for
    std::map<InstanceId, ChildRows> children_;
    std::map<TenantRef, std::shared_ptr<const Definition>> known_;
};

}  // namespace

Reply<Loaded> load(Connection& connection, const ReadSet& reads, const LoadContext& context) {
    return Load(connection, reads, context).run();
}

}  // namespace holdfast::postgres
