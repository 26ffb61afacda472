#include "support/load_judge.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

std::string at_version(const std::string& correlation, Version version) {
    return "edit " + correlation + " at version " + std::to_string(version);
}

std::vector<std::string> ids_with_business_key(ServerClient& client, const std::string& key) {
    std::vector<std::string> ids;
    const bj::value page = client.must_get("/api/v1/workflows?businessKey=" + key);
    for (const bj::value& item : page.at("items").as_array())
        ids.emplace_back(item.at("id").as_string());
    return ids;
}

}  // namespace

Verdict& Verdict::operator+=(const Verdict& more) {
    acknowledged_edits += more.acknowledged_edits;
    acknowledged_starts += more.acknowledged_starts;
    unknown += more.unknown;
    unknown_done += more.unknown_done;
    append(lost, more.lost);
    append(half, more.half);
    append(otherwise, more.otherwise);
    return *this;
}

LoadJudge::LoadJudge(const std::vector<std::string>& instances) {
    for (const std::string& id : instances) audits_.emplace_back(id);
}

Verdict LoadJudge::judge(ServerClient& client, const LoadLog& log, Unanswered unanswered) {
    Verdict verdict;
    append(verdict.otherwise, log.odd);
    for (const EditAttempt& attempt : log.edits) attempts_.emplace(attempt.correlation, attempt);
    read_rows(client, unanswered, verdict);
    for (const EditAttempt& attempt : log.edits) {
        verdict.unknown += attempt.told == Told::unknown;
        if (attempt.told != Told::done) continue;
        ++verdict.acknowledged_edits;
        const auto found = done_.find(attempt.correlation);
        if (found == done_.end() || found->second != attempt.base + 1)
            verdict.lost.push_back(at_version(attempt.correlation, attempt.base + 1) + " of " +
                                   audits_[attempt.instance].id() +
                                   " was acknowledged but is not stored");
    }
    for (const StartAttempt& attempt : log.starts)
        judge_start(client, attempt, unanswered, verdict);
    return verdict;
}

void LoadJudge::read_rows(ServerClient& client, Unanswered unanswered, Verdict& verdict) {
    for (std::size_t i = 0; i < audits_.size(); ++i) {
        const std::size_t known = audits_[i].rows().size();
        append(verdict.half, audits_[i].follow(client));
        for (std::size_t at = known; at < audits_[i].rows().size(); ++at)
            if (at > 0) judge_row(i, audits_[i].rows()[at], unanswered, verdict);
    }
}

void LoadJudge::judge_row(std::size_t instance, const HistoryRow& row, Unanswered unanswered,
                          Verdict& verdict) {
    const std::string& correlation = row.cause.correlation;
    const std::string what = at_version(correlation, row.version);
    const auto found = attempts_.find(correlation);
    if (found == attempts_.end()) return verdict.otherwise.push_back(what + " was never sent");
    const EditAttempt& attempt = found->second;
    if (!done_.emplace(correlation, row.version).second)
        verdict.otherwise.push_back(what + " is stored twice");
    if (attempt.instance != instance || row.version != attempt.base + 1)
        verdict.otherwise.push_back(what + " was meant for version " +
                                    std::to_string(attempt.base + 1));
    if (attempt.told == Told::refused)
        verdict.otherwise.push_back(what + " was refused but is stored");
    if (attempt.told == Told::unknown) {
        ++verdict.unknown_done;
        if (unanswered == Unanswered::must_be_absent)
            verdict.otherwise.push_back(what + " was not answered but is stored");
    }
    if (row.payload != attempt.state)
        verdict.half.push_back(what + " wrote " + row.payload + " instead of " + attempt.state);
    if (row.state_metadata.value_or("") != attempt.metadata)
        verdict.half.push_back(what + " wrote other metadata than " + attempt.metadata);
}

void LoadJudge::judge_start(ServerClient& client, const StartAttempt& attempt,
                            Unanswered unanswered, Verdict& verdict) {
    const std::string what = "start " + attempt.key;
    const bool is_done = attempt.told == Told::done;
    verdict.acknowledged_starts += is_done;
    verdict.unknown += attempt.told == Told::unknown;
    const auto before = ids_with_business_key(client, attempt.key);
    if (is_done && before.empty())
        verdict.lost.push_back(what + " was acknowledged but is not stored");
    if (attempt.told == Told::refused && !before.empty())
        verdict.otherwise.push_back(what + " was refused but is stored");
    if (attempt.told == Told::unknown && !before.empty() &&
        unanswered == Unanswered::must_be_absent)
        verdict.otherwise.push_back(what + " was not answered but is stored");

    const auto again = client.start({.definition = EditLoad::definition,
                                     .state = attempt.state,
                                     .business_key = attempt.key,
                                     .idempotency_key = attempt.key});
    if (!again || again->status != 201)
        return verdict.otherwise.push_back(
            what + " cannot be repeated: " + (again ? bj::serialize(again->body) : "no answer"));
    if (is_done && again->body != attempt.answer)
        verdict.otherwise.push_back(
            what + " got another answer when it was repeated: " + bj::serialize(again->body));
    const std::string id(again->body.at("id").as_string());
    if (ids_with_business_key(client, attempt.key) != std::vector{id} ||
        (!before.empty() && before.front() != id))
        verdict.otherwise.push_back(what + " created another workflow when it was repeated");
    HistoryAudit audit(id);
    append(verdict.half, audit.follow(client));
    if (audit.version() != 1 || audit.state() != json::canonical(attempt.state))
        verdict.half.push_back(what + " has the state " + audit.state());
}

}  // namespace holdfast::testing
