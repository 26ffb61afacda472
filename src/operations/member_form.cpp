#include "operations/member_form.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

// Takes the parsed value, or blames the member that it came from.
template <class T, class Parsed>
void take(MemberReader& reader, std::string_view name, T& member, Parsed parsed) {
    if (parsed)
        member = *std::move(parsed);
    else
        reader.blame(name);
}

}  // namespace

bj::value MemberForm::of(Moment moment) { return bj::value(to_iso8601(moment)); }
bj::value MemberForm::of(const Digest& digest) { return bj::value(to_hex(digest)); }
bj::value MemberForm::of(const json::Path& path) { return bj::value(json::to_string(path)); }
bj::value MemberForm::of(const BusinessReference& business) { return to_json(business); }
bj::value MemberForm::of(const Wait& wait) { return to_json(wait); }
bj::value MemberForm::of(const TaskSpec& spec) { return to_json(spec); }
bj::value MemberForm::of(const Limits& limits) { return to_json(limits); }
bj::value MemberForm::of(const HumanTask& task) { return to_json(task); }
bj::value MemberForm::of(const Instance& instance) { return to_json(instance); }
bj::value MemberForm::of(const holdfast::Checkpoint& checkpoint) { return to_json(checkpoint); }
bj::value MemberForm::of(const std::shared_ptr<const Definition>& definition) {
    return to_json(*definition);
}

bj::value MemberForm::of(const Step& step) {
    return {{"index", step.index}, {"name", step.name}, {name_of(step.result), step.value.value()}};
}

bj::value MemberForm::of(const SchemaViolation& violation) {
    return {{"path", violation.path}, {"message", violation.message}};
}

bj::value MemberForm::of(JsonText<const std::optional<std::string>> json) {
    if (!json.text) return nullptr;
    return Document::trusted(*json.text, {}).value();
}

bj::value MemberForm::of(Whole<const Instance> whole) {
    bj::object object = to_json(whole.instance);
    object["tenant"] = whole.instance.tenant;
    object["children"] = to_json(whole.instance.children);
    object["hasResult"] = whole.instance.result.has_value();
    for (std::size_t i = 0; i < whole.instance.waits.size(); ++i)
        object["waits"].at(i).as_object()["operation"] =
            to_string(whole.instance.waits[i].operation);
    return object;
}

void MemberForm::read(MemberReader& reader, std::string_view name, std::string& text) {
    text = reader.text(name);
}
void MemberForm::read(MemberReader& reader, std::string_view name, std::uint64_t& number) {
    number = reader.number(name);
}
void MemberForm::read(MemberReader& reader, std::string_view name, Keep& keep) {
    keep = reader.flag(name) ? Keep::yes : Keep::no;
}
void MemberForm::read(MemberReader& reader, std::string_view name,
                      std::chrono::microseconds& time) {
    time = std::chrono::microseconds(static_cast<std::int64_t>(reader.number(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, Moment& moment) {
    moment = reader.moment(name);
}
void MemberForm::read(MemberReader& reader, std::string_view name, Digest& digest) {
    take(reader, name, digest, parse_digest(reader.text(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, Document& document) {
    document = reader.document(name);
}
void MemberForm::read(MemberReader& reader, std::string_view name, BusinessReference& business) {
    take(reader, name, business, business_from_json(reader.value(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, Wait& wait) {
    take(reader, name, wait, wait_from_json(reader.value(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, TaskSpec& spec) {
    take(reader, name, spec, task_spec_from_json(reader.value(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, Limits& limits) {
    const bj::object* object = reader.value(name).if_object();
    take(reader, name, limits, read_limits(object ? *object : bj::object{}));
}
void MemberForm::read(MemberReader& reader, std::string_view name, HumanTask& task) {
    take(reader, name, task, task_from_json(reader.value(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, Instance& instance) {
    take(reader, name, instance, instance_from_json(reader.value(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name,
                      holdfast::Checkpoint& checkpoint) {
    take(reader, name, checkpoint, checkpoint_from_json(reader.value(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name,
                      std::vector<std::string>& texts) {
    texts = reader.texts(name);
}
void MemberForm::read(MemberReader& reader, std::string_view name, std::vector<json::Path>& paths) {
    for (const std::string& text : reader.texts(name))
        take(reader, name, paths.emplace_back(), json::parse_path(text));
}
void MemberForm::read(MemberReader& reader, std::string_view name, OnConflict& value) {
    take(reader, name, value, parse_on_conflict(reader.text(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, OnOpen& value) {
    take(reader, name, value, parse_on_open(reader.text(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, OnClosed& value) {
    take(reader, name, value, parse_on_closed(reader.text(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, OnTargetEnded& value) {
    take(reader, name, value, parse_on_target_ended(reader.text(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, FanOut& value) {
    take(reader, name, value, parse_fan_out(reader.text(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, SignalType& value) {
    take(reader, name, value, parse_signal_type(reader.text(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, DeadLetterReason& value) {
    take(reader, name, value, parse_dead_letter_reason(reader.text(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, StepResult& value) {
    take(reader, name, value, parse_step_result(reader.text(name)));
}
void MemberForm::read(MemberReader& reader, std::string_view name, Status& value) {
    take(reader, name, value, parse_status(reader.text(name)));
}

void MemberForm::read(MemberReader& reader, std::string_view name,
                      JsonText<std::optional<std::string>> json) {
    if (!reader.is_absent(name)) json.text = json::canonical(reader.value(name));
}

void MemberForm::read(MemberReader& outer, std::string_view name, Whole<Instance> whole) {
    Instance& instance = whole.instance;
    read(outer, name, instance);
    MemberReader reader(outer.value(name));
    instance.tenant = reader.text("tenant");
    take(reader, "children", instance.children, children_from_json(reader.value("children")));
    instance.result.reset();
    if (reader.flag("hasResult")) instance.result = reader.document("result");
    if (!reader.give(true)) outer.blame(name);
}

}  // namespace holdfast::op
