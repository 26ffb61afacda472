#include "faults/facts.h"

#include <boost/json.hpp>

#include "support/history_audit.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

std::optional<std::uint64_t> index_of(const bj::value& payload) {
    const bj::object* object = payload.if_object();
    const bj::value* index = object ? object->if_contains("index") : nullptr;
    if (!index) return std::nullopt;
    return index->to_number<std::uint64_t>();
}

// The winner of a wait: {type, name, value}.
void read_delivery(const bj::object& payload, RowFact& fact) {
    const bj::object* value = payload.at("value").if_object();
    if (!value) return;
    if (const bj::value* event = value->if_contains("event"))
        fact.key = std::string(event->as_string());
    if (const bj::value* due = value->if_contains("due"))
        fact.due = parse_iso8601(std::string(due->as_string()));
}

RowFact fact_of(const HistoryRow& row) {
    RowFact fact{.version = row.version, .type = row.type, .at = row.at};
    const bj::value payload = json_of(row.payload);
    if (!carries_state(row.type)) fact.index = index_of(payload);
    if (row.type == HistoryType::state_changed) fact.key = row.cause.correlation;
    if (row.type == HistoryType::delivered) read_delivery(payload.as_object(), fact);
    return fact;
}

}  // namespace

std::vector<RelayFacts> read_facts(ServerClient& client, const Ledger& ledger) {
    std::vector<RelayFacts> all;
    for (const Relay& relay : ledger.relays) {
        RelayFacts& facts = all.emplace_back();
        const bj::value page = client.must_get("/api/v1/workflows?businessKey=" + relay.key);
        for (const bj::value& item : page.at("items").as_array()) {
            facts.ids.emplace_back(item.at("id").as_string());
            facts.status = std::string(item.at("status").as_string());
        }
        if (facts.ids.empty()) continue;
        HistoryAudit audit(facts.ids.front());
        facts.wrong = audit.follow(client);
        for (const HistoryRow& row : audit.rows()) facts.rows.push_back(fact_of(row));
    }
    return all;
}

}  // namespace holdfast::testing
