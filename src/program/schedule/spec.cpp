#include "program/schedule/spec.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/time/duration.h"

namespace holdfast::schedule {
namespace {

namespace bj = boost::json;
using std::chrono::microseconds;

constexpr microseconds least_interval = std::chrono::seconds(1);
constexpr microseconds most_time = std::chrono::days(3'653);
constexpr microseconds most_jitter = std::chrono::days(1);
constexpr std::size_t most_text = 256;
constexpr std::size_t most_value = std::size_t{64} << 10;
constexpr std::string_view due_mark = "${due}";

constexpr std::pair<Overlap, std::string_view> overlaps[] = {{Overlap::skip, "skip"},
                                                             {Overlap::queue, "queue"},
                                                             {Overlap::cancel, "cancel"},
                                                             {Overlap::allow, "allow"}};

// Reads the members of an object, which must outlive it, and keeps the first violation.
class Members {
public:
    Members(const bj::value& value, std::string path, std::initializer_list<std::string_view> known)
        : object_(value.if_object()), path_(std::move(path)) {
        if (!object_) blame("", "must be an object");
        for (const auto& member : object_ ? *object_ : bj::object{})
            if (std::ranges::find(known, std::string_view(member.key())) == known.end())
                blame(member.key(), "is not known; write one of " + listed(known));
    }

    bool has(std::string_view name) const { return find(name) != nullptr; }

    std::string text(std::string_view name) {
        const bj::value* found = find(name);
        if (!found) return {};
        if (!found->is_string() || found->get_string().empty()) {
            blame(name, "must be a text that is not empty");
            return {};
        }
        return std::string(found->get_string());
    }

    // 1 to 256 bytes without control characters.
    std::string label(std::string_view name) {
        std::string found = text(name);
        const bool odd = std::ranges::any_of(
            found, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
        if (odd || found.size() > most_text)
            blame(name, "must have 1 to 256 bytes without control characters");
        return found;
    }

    bj::value value(std::string_view name) const {
        const bj::value* found = find(name);
        return found ? *found : bj::value(nullptr);
    }
    // What is passed on with every firing.
    Document document(std::string_view name) {
        Document found = Document::of(value(name));
        if (found.text().size() > most_value) blame(name, "must have at most 64 KiB");
        return found;
    }

    std::optional<Moment> moment(std::string_view name) {
        const std::string found = text(name);
        if (found.empty()) return std::nullopt;
        const auto moment = parse_iso8601(found);
        if (!moment) blame(name, "must be a time in UTC, such as 2026-03-29T01:00:00Z");
        return moment;
    }

    microseconds duration(std::string_view name, microseconds otherwise, microseconds least,
                          microseconds most) {
        const std::string found = text(name);
        if (found.empty()) return otherwise;
        const auto duration = parse_duration(found);
        if (duration && *duration >= least && *duration <= most) return *duration;
        blame(name, "must be a duration such as 10s, 24h or PT1H30M, from " +
                        std::to_string(std::chrono::floor<std::chrono::seconds>(least).count()) +
                        " s to " +
                        std::to_string(std::chrono::floor<std::chrono::days>(most).count()) + " d");
        return otherwise;
    }

    void blame(std::string_view name, std::string why) {
        if (violation_) return;
        std::string path = path_;
        if (!name.empty()) path += '/' + std::string(name.substr(0, most_text));
        violation_ = SchemaViolation{std::move(path), std::move(why)};
    }
    void take(std::optional<SchemaViolation> other) {
        if (!violation_) violation_ = std::move(other);
    }
    const std::optional<SchemaViolation>& violation() const { return violation_; }

private:
    // Null: it is missing or null.
    const bj::value* find(std::string_view name) const {
        const bj::value* found = object_ ? object_->if_contains(name) : nullptr;
        return found && !found->is_null() ? found : nullptr;
    }

    static std::string listed(std::initializer_list<std::string_view> known) {
        std::string all;
        for (const std::string_view one : known)
            all += (all.empty() ? "" : ", ") + std::string(one);
        return all;
    }

    const bj::object* object_;
    std::string path_;
    std::optional<SchemaViolation> violation_;
};

// Letters, digits and _ + - /: no name leaves the folder of the zones, and none is a cron field.
bool may_be_zone(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_+-/").find(c) != std::string_view::npos;
    });
}

std::size_t words_in(std::string_view text) {
    std::size_t words = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
        words += !is_space(text[i]) && (i == 0 || is_space(text[i - 1]));
    }
    return words;
}

bpmn::Schedule read_cron(Members& members) {
    std::string text = members.text("cron");
    const std::string zone = members.text("timeZone");
    if (text.size() > most_text) members.blame("cron", "must have at most 256 bytes");
    if (text.find('=') != std::string::npos)
        members.blame("cron", "has no zone in it: write the zone as timeZone");
    if (!may_be_zone(zone)) members.blame("timeZone", "must be a zone such as Europe/Berlin");
    if (!text.starts_with('@') && words_in(text) != 5)
        members.blame("cron", "must have five fields: minute hour day month weekday");
    if (members.violation()) return {};
    if (!zone.empty()) text = "CRON_TZ=" + zone + " " + text;
    auto cron = bpmn::parse_cron(text);
    if (cron) return *std::move(cron);
    const bool zone_unknown = !zone.empty() && !bpmn::parse_cron("CRON_TZ=" + zone + " * * * * *");
    members.blame(zone_unknown ? "timeZone" : "cron",
                  zone_unknown ? "is not a zone that this system knows; write one such as "
                                 "Europe/Berlin"
                               : cron.error().message);
    return {};
}

bpmn::Schedule read_interval(Members& members) {
    if (members.has("timeZone"))
        members.blame("timeZone", "belongs to a cron text: an interval knows no zone");
    bpmn::Cycle cycle{.repetitions = {}, .start = {}, .end = {}, .period = {}};
    cycle.period.microseconds =
        members.duration("every", least_interval, least_interval, most_time).count();
    return cycle;
}

bpmn::Schedule read_when(Members& members) {
    if (members.has("cron") == members.has("every")) {
        members.blame("cron",
                      "is missing, or there is every too: give either cron or every, such as \"0 2 "
                      "* * *\" or "
                      "\"15m\"");
        return {};
    }
    return members.has("cron") ? read_cron(members) : read_interval(members);
}

StartAction read_start(Members& members) {
    const bj::value value = members.value("start");
    Members part(value, "/start", {"definition", "arguments", "businessKey"});
    StartAction start{.definition = part.label("definition"),
                      .arguments = part.document("arguments"),
                      .business_key = part.label("businessKey")};
    if (!part.has("arguments")) start.arguments = Document::of(bj::array{});
    if (filled_in(start.business_key, Moment{}).size() > most_text)
        part.blame("businessKey", "must have at most 256 bytes with the due time filled in");
    if (start.definition.empty()) part.blame("definition", "is missing: what does it start?");
    members.take(part.violation());
    return start;
}

SendAction read_send(Members& members) {
    const bj::value value = members.value("send");
    Members part(value, "/send", {"event", "value", "correlationKey", "workflow", "fanOut"});
    SendAction send{.event = part.label("event"),
                    .value = part.document("value"),
                    .correlation = part.label("correlationKey"),
                    .target = {}};
    if (send.event.empty()) part.blame("event", "is missing: what does it send?");
    if (is_engine_name(send.event)) part.blame("event", "is a name that only the engine sends");
    if (const std::string target = part.text("workflow"); !target.empty()) {
        send.target = parse_id<InstanceId>(target);
        if (!send.target) part.blame("workflow", "must be the id of a workflow (a UUID)");
    }
    const std::string fan_out = part.text("fanOut");
    if (fan_out == "all") send.fan_out = FanOut::all;
    if (!fan_out.empty() && fan_out != "all" && fan_out != "one")
        part.blame("fanOut", "must be one or all");
    if (send.target && send.fan_out == FanOut::all)
        part.blame("fanOut", "cannot be all for one workflow");
    members.take(part.violation());
    return send;
}

void read_action(Members& members, Spec& spec) {
    if (members.has("start") == members.has("send"))
        return members.blame(
            "start",
            "is missing, or there is send too: give either start or send, such as \"start\": "
            "{\"definition\": \"report\"}");
    if (members.has("start"))
        spec.action = read_start(members);
    else
        spec.action = read_send(members);
}

// The n-th due time lies n intervals after the anchor.
Moment interval_after(const bpmn::Cycle& cycle, Moment anchor, std::int64_t least, Moment time) {
    const std::int64_t each = cycle.period.microseconds;
    const std::int64_t passed = (time - anchor).count();
    std::int64_t n = passed < 0 ? 0 : passed / each + 1;
    n = std::max(n, least);
    return anchor + microseconds(n * each);
}

}  // namespace

std::string_view name_of(Overlap overlap) {
    return std::ranges::find(overlaps, overlap, &std::pair<Overlap, std::string_view>::first)
        ->second;
}

std::optional<Overlap> parse_overlap(std::string_view text) {
    const auto found =
        std::ranges::find(overlaps, text, &std::pair<Overlap, std::string_view>::second);
    return found == std::end(overlaps) ? std::nullopt : std::optional(found->first);
}

std::expected<Spec, SchemaViolation> read_spec(const bj::value& value) {
    Members members(value, "",
                    {"cron", "timeZone", "every", "from", "until", "start", "send", "overlap",
                     "catchUp", "jitter"});
    Spec spec;
    spec.when = read_when(members);
    spec.from = members.moment("from");
    spec.until = members.moment("until");
    if (spec.from && spec.until && *spec.from > *spec.until)
        members.blame("until", "must not be before from");
    read_action(members, spec);
    if (const std::string overlap = members.text("overlap"); !overlap.empty()) {
        const auto parsed = parse_overlap(overlap);
        if (!parsed) members.blame("overlap", "must be skip, queue, cancel or allow");
        spec.overlap = parsed.value_or(Overlap::skip);
    }
    spec.catch_up = members.duration("catchUp", spec.catch_up, least_catch_up, most_time);
    spec.jitter = members.duration("jitter", spec.jitter, microseconds(0), most_jitter);
    if (members.violation()) return std::unexpected(*members.violation());
    return spec;
}

std::optional<Moment> due_after(const Spec& spec, Moment anchor, Moment time) {
    std::optional<Moment> due;
    if (const auto* cron = std::get_if<bpmn::Cron>(&spec.when))
        due = next_match(*cron, spec.from ? std::max(time, *spec.from - microseconds(1)) : time);
    else
        due = interval_after(std::get<bpmn::Cycle>(spec.when), spec.from.value_or(anchor),
                             spec.from ? 0 : 1, time);
    if (due && spec.until && *due > *spec.until) return std::nullopt;
    return due;
}

microseconds jitter_of(const Spec& spec, const InstanceId& schedule, Moment due) {
    if (spec.jitter.count() == 0) return {};
    const Digest digest =
        sha256(to_string(schedule) + std::to_string(due.time_since_epoch().count()));
    std::uint64_t number = 0;
    for (int i = 0; i < 8; ++i) number = number << 8 | digest.bytes[i];
    return microseconds(number % static_cast<std::uint64_t>(spec.jitter.count() + 1));
}

std::string filled_in(std::string text, Moment due) {
    for (auto at = text.find(due_mark); at != std::string::npos; at = text.find(due_mark, at))
        text.replace(at, due_mark.size(), to_iso8601(due));
    return text;
}

bj::value filled_in(const bj::value& value, Moment due) {
    if (value.is_string()) return bj::value(filled_in(std::string(value.get_string()), due));
    if (value.is_array()) {
        bj::array all;
        for (const bj::value& one : value.get_array()) all.push_back(filled_in(one, due));
        return all;
    }
    if (!value.is_object()) return value;
    bj::object all;
    for (const auto& [name, one] : value.get_object()) all[name] = filled_in(one, due);
    return all;
}

}  // namespace holdfast::schedule
