#include "node/spans/spans.h"

#include <boost/json.hpp>
#include <map>

#include "base/build_version.h"
#include "base/ids/digest.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

std::string hex_end(const std::string& text, std::size_t digits) {
    return text.substr(text.size() - digits);
}

std::string id_of_row(const HistoryRow& row) {
    return hex_end(to_hex(sha256(to_string(row.instance) + "/" + std::to_string(row.version))), 16);
}

std::uint64_t index_in(const bj::object& payload) {
    boost::system::error_code error;
    const bj::value* index = payload.if_contains("index");
    const auto number = index ? index->to_number<std::uint64_t>(error) : 0;
    return error ? 0 : number;
}

std::string text_in(const bj::object& payload, std::string_view name) {
    const bj::value* text = payload.if_contains(name);
    return text && text->is_string() ? std::string(text->get_string()) : "";
}

std::string name_of_wait(const bj::object& payload) {
    const bj::value* names = payload.if_contains("names");
    if (names && names->is_array() && !names->get_array().empty() &&
        names->get_array().front().is_string())
        return "wait for " + std::string(names->get_array().front().get_string());
    const bj::value* workflows = payload.if_contains("workflows");
    if (workflows && workflows->is_array() && !workflows->get_array().empty())
        return "wait for a workflow";
    return "wait for a time";
}

// Follows the rows of one workflow.
class Reading {
public:
    Reading(const Instance& workflow, const TracePlace& place)
        : root_{.trace = place.trace,
                .id = span_id_of(workflow.id),
                .parent = place.parent,
                .name = workflow.definition.key,
                .begin = workflow.created_at,
                .end = workflow.completed_at.value_or(workflow.updated_at),
                .attributes = {{"holdfast.workflow", to_string(workflow.id)},
                               {"holdfast.status", name_of(workflow.status)}},
                .error = workflow.status == Status::failed ? "the workflow failed" : ""},
          before_(workflow.created_at) {
        if (!workflow.business.key.empty())
            root_.attributes["holdfast.businessKey"] = workflow.business.key;
    }

    void read(const HistoryRow& row) {
        const bj::value payload = row.payload.empty() ? bj::value() : bj::parse(row.payload);
        const bj::object& members = payload.is_object() ? payload.get_object() : nothing_;
        if (row.type == HistoryType::step_recorded) step(row, members);
        if (row.type == HistoryType::suspended) begin_wait(row, members);
        if (row.type == HistoryType::delivered) end_wait(row, members);
        before_ = row.at;
    }

    std::vector<Span> spans() && {
        for (auto& [index, wait] : waits_) {
            wait.end = root_.end;
            within_.push_back(std::move(wait));
        }
        within_.insert(within_.begin(), root_);
        return std::move(within_);
    }

private:
    Span child(const HistoryRow& row, std::string name, const bj::object& payload) const {
        return {.trace = root_.trace,
                .id = id_of_row(row),
                .parent = root_.id,
                .name = std::move(name),
                .begin = row.at,
                .end = row.at,
                .attributes = {{"holdfast.index", index_in(payload)}},
                .error = {}};
    }

    void step(const HistoryRow& row, const bj::object& payload) {
        Span span = child(row, "step " + text_in(payload, "name"), payload);
        span.begin = before_;
        if (payload.contains("error")) span.error = "the step failed";
        within_.push_back(std::move(span));
    }

    void begin_wait(const HistoryRow& row, const bj::object& payload) {
        const auto index = index_in(payload);
        if (const auto open = waits_.find(index); open != waits_.end()) close(open, row.at);
        waits_.emplace(index, child(row, name_of_wait(payload), payload));
    }

    void end_wait(const HistoryRow& row, const bj::object& payload) {
        auto open = waits_.find(index_in(payload));
        if (open == waits_.end()) return;
        if (const auto name = text_in(payload, "name"); !name.empty())
            open->second.attributes["holdfast.event"] = name;
        close(open, row.at);
    }

    void close(std::map<std::uint64_t, Span>::iterator open, Moment at) {
        open->second.end = at;
        within_.push_back(std::move(open->second));
        waits_.erase(open);
    }

    const bj::object nothing_;
    Span root_;
    Moment before_;
    std::map<std::uint64_t, Span> waits_;  // that are open
    std::vector<Span> within_;
};

bj::value any_value(const bj::value& value) {
    if (value.is_string()) return bj::object{{"stringValue", value.get_string()}};
    return bj::object{{"intValue", bj::serialize(value)}};
}

bj::array attributes_of(const bj::object& attributes) {
    bj::array all;
    for (const auto& [key, value] : attributes)
        all.push_back(bj::object{{"key", key}, {"value", any_value(value)}});
    return all;
}

std::string nanoseconds(Moment moment) {
    return std::to_string(moment.time_since_epoch().count()) + "000";
}

bj::object otlp_of(const Span& span) {
    constexpr int internal = 1;
    constexpr int failed = 2;
    bj::object object{{"traceId", span.trace},
                      {"spanId", span.id},
                      {"name", span.name},
                      {"kind", internal},
                      {"startTimeUnixNano", nanoseconds(span.begin)},
                      {"endTimeUnixNano", nanoseconds(span.end)},
                      {"attributes", attributes_of(span.attributes)}};
    if (!span.parent.empty()) object["parentSpanId"] = span.parent;
    if (!span.error.empty())
        object["status"] = bj::object{{"code", failed}, {"message", span.error}};
    return object;
}

}  // namespace

std::string span_id_of(const InstanceId& workflow) {
    return hex_end(to_hex(sha256(to_string(workflow))), 16);
}

std::vector<Span> spans_of(const Instance& workflow, const std::vector<HistoryRow>& rows,
                           const TracePlace& place) {
    Reading reading(workflow, place);
    for (const HistoryRow& row : rows) reading.read(row);
    return std::move(reading).spans();
}

bj::object otlp_of(const std::vector<Span>& spans, const std::string& node) {
    bj::array all;
    for (const Span& span : spans) all.push_back(otlp_of(span));
    const bj::object resource{{"attributes", attributes_of({{"service.name", "holdfast"},
                                                            {"service.instance.id", node}})}};
    const bj::object scope{{"name", "holdfast"}, {"version", build_version}};
    return {
        {"resourceSpans",
         bj::array{bj::object{
             {"resource", resource},
             {"scopeSpans", bj::array{bj::object{{"scope", scope}, {"spans", std::move(all)}}}}}}}};
}

}  // namespace holdfast
