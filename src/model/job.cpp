#include "model/job.h"

#include <boost/json.hpp>

#include "model/codec/member_reader.h"

namespace holdfast {

namespace bj = boost::json;

std::string program_of_jobs(const std::string& type) { return "job:" + type; }

Result<SignalRow> job_row(const SignalId& id, const InstanceId& instance, const JobSpec& spec,
                          Moment now) {
    bj::object headers;
    for (const auto& [name, value] : spec.headers) headers[name] = value;
    bj::array pauses;
    for (const std::chrono::microseconds pause : spec.pauses) pauses.emplace_back(pause.count());
    bj::object payload{{"type", spec.type},
                       {"activity", to_string(spec.activity)},
                       {"element", spec.element},
                       {"retries", spec.retries},
                       {"headers", std::move(headers)}};
    if (!pauses.empty()) payload["pausesMicroseconds"] = std::move(pauses);
    HF_TRY(std::string envelope, encode({.id = id,
                                         .instance = instance,
                                         .type = SignalType::job,
                                         .occurred_at = now,
                                         .payload = Document::of(payload)}));
    return SignalRow{.id = id,
                     .instance = instance,
                     .type = SignalType::job,
                     .program = program_of_jobs(spec.type),
                     .enqueued_at = now,
                     .visible_at = now,
                     .envelope = std::move(envelope)};
}

Result<JobSpec> job_in(const SignalRow& row) {
    HF_TRY(const Envelope envelope, decode_envelope(row.envelope));
    const bj::value payload = envelope.payload.value();
    MemberReader reader(payload);
    JobSpec spec{.type = reader.text("type"),
                 .activity = reader.id<ActivityInstanceId>("activity"),
                 .element = reader.text("element"),
                 .retries = static_cast<std::uint32_t>(reader.number("retries"))};
    if (const bj::object* headers = reader.value("headers").if_object())
        for (const auto& header : *headers)
            if (header.value().is_string())
                spec.headers.emplace(header.key(), header.value().get_string());
    if (const bj::value* pauses = payload.as_object().if_contains("pausesMicroseconds"))
        for (const bj::value& pause : pauses->as_array())
            spec.pauses.emplace_back(pause.to_number<std::int64_t>());
    return reader.give(std::move(spec));
}

std::optional<std::chrono::microseconds> pause_after(const JobSpec& spec, std::uint32_t attempt) {
    if (spec.pauses.empty()) return std::nullopt;
    return spec.pauses[std::min<std::size_t>(std::max(attempt, 1u), spec.pauses.size()) - 1];
}

}  // namespace holdfast
