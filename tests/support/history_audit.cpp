#include "support/history_audit.h"

#include <boost/json.hpp>
#include <stdexcept>

#include "base/json/canonical.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

constexpr int most_readings = 20;

std::string text_of(const bj::value& object, const char* member) {
    return std::string(object.at(member).as_string());
}

HistoryRow row_of(const bj::value& item) {
    HistoryRow row;
    row.instance = parse_id<InstanceId>(text_of(item, "instance")).value();
    row.version = item.at("version").to_number<Version>();
    row.type = parse_history_type(text_of(item, "type")).value();
    row.payload = json::canonical(item.at("payload"));
    if (!item.at("stateMetadata").is_null())
        row.state_metadata = json::canonical(item.at("stateMetadata"));
    row.cause.operation = parse_id<OperationId>(text_of(item, "operation")).value();
    if (!item.at("user").is_null()) row.cause.caller.user = text_of(item, "user");
    row.cause.correlation = text_of(item, "correlation");
    row.at = parse_iso8601(text_of(item, "at")).value();
    row.hash = parse_digest(text_of(item, "hash")).value();
    return row;
}

}  // namespace

// A change between reading the rows and the instance is not an error: reads again.
std::vector<std::string> HistoryAudit::follow(ServerClient& client) {
    wrong_.clear();
    const std::string target = "/api/v1/workflows/" + id_;
    for (int readings = 0; readings < most_readings; ++readings) {
        const bj::value before = client.must_get(target);
        read_rows(client);
        const bj::value after = client.must_get(target);
        if (before.at("version") != after.at("version")) continue;
        compare(after);
        return std::move(wrong_);
    }
    blame("keeps changing while it is read");
    return std::move(wrong_);
}

void HistoryAudit::read_rows(ServerClient& client) {
    const std::string target = "/api/v1/workflows/" + id_ + "/history?limit=1000&from=";
    for (bj::value from = version() + 1; !from.is_null();) {
        const bj::value page = client.must_get(target + bj::serialize(from));
        for (const bj::value& item : page.at("items").as_array()) add(item);
        from = page.at("nextFrom");
    }
}

void HistoryAudit::add(const bj::value& item) {
    HistoryRow row = row_of(item);
    const std::string place = "version " + std::to_string(row.version);
    if (row.version != version() + 1)
        blame(place + " follows version " + std::to_string(version()));
    if (to_string(row.instance) != id_) blame(place + " belongs to " + to_string(row.instance));
    if (chain(last_hash_, row) != row.hash) blame(place + " breaks the hash chain");
    last_hash_ = row.hash;
    if (carries_state(row.type)) state_ = row.payload;
    if (row.state_metadata) metadata_ = *row.state_metadata;
    rows_.push_back(std::move(row));
}

void HistoryAudit::compare(const bj::value& instance) {
    const auto shown = instance.at("version").to_number<Version>();
    if (shown != version())
        blame("shows version " + std::to_string(shown) + ", its history has " +
              std::to_string(version()));
    const std::string state = json::canonical(instance.at("state"));
    if (state != state_) blame("shows the state " + state + ", its history gives " + state_);
    const std::string metadata = json::canonical(instance.at("stateMetadata"));
    if (metadata != metadata_)
        blame("shows the metadata " + metadata + ", its history gives " + metadata_);
    if (instance.at("quarantined").as_bool()) blame("is quarantined");
    if (text_of(instance, "stateChecksum") != to_hex(sha256(state)))
        blame("has a checksum that does not match its state");
}

}  // namespace holdfast::testing
