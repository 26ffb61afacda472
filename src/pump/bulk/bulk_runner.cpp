#include "pump/bulk/bulk_runner.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "base/log.h"

namespace holdfast {
namespace {

constexpr const char* bulk_lock = "bulk";
constexpr std::size_t batch_size = 100;
constexpr std::size_t counted_page = 200;
constexpr std::size_t most_open = 100;  // jobs that are done in turn

// Jobs are workflows: one that does not name a definition would find the jobs, itself included.
std::vector<InstanceId> targets_of(const InstancePage& page) {
    std::vector<InstanceId> ids;
    for (const FoundInstance& found : page.items)
        if (found.instance.definition.key != bulk_definition) ids.push_back(found.instance.id);
    return ids;
}

}  // namespace

Result<BulkRunner::Next> BulkRunner::run() {
    HF_TRY(auto open,
           parts_.store.ask(InstanceQuery{.statuses = {Status::running, Status::suspended},
                                          .definition = std::string(bulk_definition),
                                          .content = PageContent::rows,
                                          .limit = most_open,
                                          .budget = unhurried}));
    std::erase_if(open.items, [](const FoundInstance& one) { return one.instance.paused; });
    if (open.items.empty()) return Next::idle;
    for (auto one = open.items.rbegin(); one != open.items.rend(); ++one) {
        HF_TRY(const auto lock, parts_.store.lock_host(bulk_lock, parts_.node, parts_.lock_time));
        if (!lock) return Next::other;
        HF_CHECK(run_one(one->instance.id));
    }
    return Next::more;
}

Result<void> BulkRunner::run_one(const InstanceId& id) {
    HF_TRY(auto read, parts_.store.ask(FindInstance{id, Depth::document}));
    if (!read || read->corrupt || !is_open(read->instance.status)) return {};
    auto job = bulk_job_from(read->instance.state.value());
    if (!job) return give_up(read->instance, job.error().message);
    Found found{std::move(read->instance), *std::move(job)};
    return advance(found);
}

Result<void> BulkRunner::advance(Found& found) {
    auto query = parts_.read_query(found.job.query);
    if (!query) return give_up(found.instance, query.error().message);
    query->tenant = found.instance.tenant;
    query->content = PageContent::rows;
    query->budget = unhurried;
    if (!found.job.matched) return count(found, *std::move(query));
    if (found.job.batch.empty()) {
        if (found.job.all_read) return finish(found);
        HF_CHECK(read_batch(found, *query));
        HF_TRY(const bool saved, save(found));
        if (!saved) return {};
    }
    HF_CHECK(do_batch(found));
    HF_TRY(const bool saved, save(found));
    if (saved && found.job.all_read) return finish(found);
    return {};
}

// Before the first batch: what has begun would no longer be found by many queries.
Result<void> BulkRunner::count(Found& found, InstanceQuery query) {
    query.limit = counted_page;
    std::uint64_t matched = 0;
    for (;;) {
        HF_TRY(auto page, parts_.store.ask(query));
        matched += targets_of(page).size();
        if (!page.next) break;
        query.cursor = std::move(page.next);
    }
    found.job.matched = matched;
    HF_CHECK(save(found));
    return {};
}

Result<void> BulkRunner::read_batch(Found& found, const InstanceQuery& query) {
    InstanceQuery next = query;
    next.limit = batch_size;
    next.cursor = found.job.cursor;
    HF_TRY(auto page, parts_.store.ask(next));
    found.job.batch = targets_of(page);
    found.job.all_read = !page.next.has_value();
    found.job.cursor = std::move(page.next);
    return {};
}

Result<void> BulkRunner::do_batch(Found& found) {
    BulkJob& job = found.job;
    HF_TRY(BulkVerdicts verdicts,
           apply_bulk(parts_.store, parts_.coordinator, job, found.instance, job.batch));
    for (std::size_t i = 0; i < job.batch.size(); ++i) {
        if (verdicts[i])
            job.note_refusal(*std::move(verdicts[i]), job.batch[i]);
        else
            ++job.done;
    }
    job.batch.clear();
    return {};
}

Result<bool> BulkRunner::save(Found& found) {
    auto outcome =
        parts_.coordinator
            .submit(op::EditState{.cause = Cause::of_engine(parts_.ids.next<OperationId>()),
                                  .instance = found.instance.id,
                                  .expected = found.instance.version,
                                  .edit = op::Replace{.state = Document::of(to_json(found.job)),
                                                      .state_metadata = {}}})
            .get();
    if (!outcome) return std::unexpected(outcome.error());
    const auto* edited = std::get_if<op::Edited>(&*outcome);
    if (edited) found.instance.version = edited->version;
    return edited != nullptr;
}

Result<void> BulkRunner::finish(const Found& found) {
    const BulkJob& job = found.job;
    HF_TRY(const auto outcome,
           parts_.coordinator
               .submit(op::Finish{.cause = Cause::of_engine(parts_.ids.next<OperationId>()),
                                  .instance = found.instance.id,
                                  .run = {.run = found.instance.run, .index = found.instance.index},
                                  .result = Document::of(boost::json::object{
                                      {"done", job.done}, {"refused", job.refused}})})
               .get());
    if (std::holds_alternative<op::Finished>(outcome))
        log::info(
            "bulk.done",
            {{"job", to_string(found.instance.id)}, {"done", job.done}, {"refused", job.refused}});
    return {};
}

Result<void> BulkRunner::give_up(const Instance& instance, const std::string& why) {
    HF_TRY(const auto outcome,
           parts_.coordinator
               .submit(op::Fail{.cause = Cause::of_engine(parts_.ids.next<OperationId>()),
                                .instance = instance.id,
                                .run = {.run = instance.run, .index = instance.index},
                                .code = "bad_bulk_job",
                                .error = Document::of(boost::json::object{{"message", why}})})
               .get());
    (void)outcome;
    log::warn("bulk.gave_up", {{"job", to_string(instance.id)}, {"message", why}});
    return {};
}

}  // namespace holdfast
