#include "model/history.h"

#include <array>
#include <charconv>

#include "base/json/canonical.h"

namespace holdfast {
namespace {

using namespace std::string_view_literals;

constexpr HistoryType all_types[] = {
    HistoryType::started,      HistoryType::state_changed,   HistoryType::written,
    HistoryType::restored,     HistoryType::forked,          HistoryType::released,
    HistoryType::suspended,    HistoryType::delivered,       HistoryType::step_recorded,
    HistoryType::succeeded,    HistoryType::failed,          HistoryType::paused,
    HistoryType::resumed,      HistoryType::continued,       HistoryType::timers_cancelled,
    HistoryType::cancelled,    HistoryType::incident_raised, HistoryType::incident_settled,
    HistoryType::task_created, HistoryType::task_ended,      HistoryType::cleared,
    HistoryType::migrated,     HistoryType::retried};

void append_texts(std::string& text, std::string_view name, const std::vector<std::string>& list) {
    if (list.empty()) return;
    text += name;
    for (std::size_t i = 0; i < list.size(); ++i) {
        text += i == 0 ? '[' : ',';
        json::append_canonical_string(text, list[i]);
    }
    text += ']';
}

void append_decimal(std::string& text, std::uint64_t number) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.begin(), digits.end(), number);
    text.append(digits.begin(), end.ptr);
}

// Members in canonical order; payload and metadata are already canonical and copied as they are.
std::string canonical_row(const HistoryRow& row) {
    std::string text;
    text.reserve(row.payload.size() + 320);
    text += "{\"at\":\""sv;
    text += to_iso8601(row.at);
    text += '"';
    if (!row.cause.caller.by.empty()) {
        text += ",\"by\":"sv;
        json::append_canonical_string(text, row.cause.caller.by);
    }
    text += ",\"correlation\":"sv;
    json::append_canonical_string(text, row.cause.correlation);
    append_texts(text, ",\"groups\":", row.cause.caller.groups);
    text += ",\"instance\":\""sv;
    text += to_string(row.instance);
    text += "\",\"operation\":\""sv;
    text += to_string(row.cause.operation);
    text += "\",\"payload\":"sv;
    text += row.payload;
    append_texts(text, ",\"roles\":", row.cause.caller.roles);
    text += ",\"stateMetadata\":"sv;
    text += row.state_metadata ? std::string_view(*row.state_metadata) : "null"sv;
    static const std::string usual_tenant = Caller{}.tenant;
    if (row.cause.tenant() != usual_tenant) {
        text += ",\"tenant\":"sv;
        json::append_canonical_string(text, row.cause.tenant());
    }
    text += ",\"type\":\""sv;
    text += name_of(row.type);
    text += "\",\"user\":"sv;
    if (row.cause.caller.user.empty())
        text += "null"sv;
    else
        json::append_canonical_string(text, row.cause.caller.user);
    text += ",\"version\":"sv;
    append_decimal(text, row.version);
    text += '}';
    return text;
}

}  // namespace

std::string_view name_of(HistoryType type) {
    switch (type) {
        case HistoryType::started: return "Started";
        case HistoryType::state_changed: return "StateChanged";
        case HistoryType::written: return "Written";
        case HistoryType::restored: return "Restored";
        case HistoryType::forked: return "Forked";
        case HistoryType::released: return "Released";
        case HistoryType::suspended: return "Suspended";
        case HistoryType::delivered: return "Delivered";
        case HistoryType::step_recorded: return "StepRecorded";
        case HistoryType::succeeded: return "Succeeded";
        case HistoryType::failed: return "Failed";
        case HistoryType::paused: return "Paused";
        case HistoryType::resumed: return "Resumed";
        case HistoryType::continued: return "Continued";
        case HistoryType::timers_cancelled: return "TimersCancelled";
        case HistoryType::task_created: return "TaskCreated";
        case HistoryType::task_ended: return "TaskEnded";
        case HistoryType::cancelled: return "Cancelled";
        case HistoryType::incident_raised: return "IncidentRaised";
        case HistoryType::incident_settled: return "IncidentSettled";
        case HistoryType::cleared: return "Cleared";
        case HistoryType::migrated: return "Migrated";
        case HistoryType::retried: return "Retried";
    }
    return "Started";
}

std::optional<HistoryType> parse_history_type(std::string_view text) {
    for (const HistoryType type : all_types)
        if (text == name_of(type)) return type;
    return std::nullopt;
}

Digest chain(const Digest& previous, const HistoryRow& row) {
    return sha256(previous, canonical_row(row));
}

}  // namespace holdfast
