#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "model/codec/codec.h"
#include "model/codec/member_reader.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

bj::object to_json(const Retry& retry) {
    bj::array attempts;
    for (const Retry::Attempt& attempt : retry.attempts)
        attempts.push_back(
            bj::object{{"error", attempt.error.value()}, {"at", to_iso8601(attempt.at)}});
    return {{"index", retry.index}, {"attempts", std::move(attempts)}};
}

Retry read_retry(const bj::value& value, MemberReader& whole) {
    MemberReader reader(value);
    Retry retry{.index = reader.number("index")};
    const bj::array* list = reader.value("attempts").if_array();
    if (!list) whole.blame("retry");
    for (const bj::value& item : list ? *list : bj::array{}) {
        MemberReader attempt(item);
        retry.attempts.push_back({attempt.document("error"), attempt.moment("at")});
        if (!attempt.give(0)) whole.blame("retry");
    }
    if (!reader.give(0)) whole.blame("retry");
    return retry;
}

}  // namespace

bj::object program_json(const Instance& instance) {
    const ProgramState& program = instance.program;
    bj::object object;
    if (instance.run_by != RunBy::node) object["runBy"] = name_of(instance.run_by);
    if (program.rollback) object["rollback"] = true;
    if (program.unwinding) object["unwinding"] = true;
    if (instance.buried) object["buried"] = true;
    if (program.retry) object["retry"] = to_json(*program.retry);
    return object;
}

Result<void> read_program(const bj::value& value, Instance& instance) {
    MemberReader reader(value);
    instance.run_by = RunBy::node;
    if (reader.has("runBy")) {
        const auto run_by = parse_run_by(reader.text("runBy"));
        if (!run_by) reader.blame("runBy");
        instance.run_by = run_by.value_or(RunBy::node);
    }
    instance.program.rollback = reader.has("rollback");
    instance.program.unwinding = reader.has("unwinding");
    instance.buried = reader.has("buried");
    if (reader.has("retry")) instance.program.retry = read_retry(reader.value("retry"), reader);
    if (auto read = reader.give(0); !read) return std::unexpected(read.error());
    return {};
}

std::optional<std::string> program_text(const Instance& instance) {
    if (instance.run_by == RunBy::outside) return std::nullopt;
    return json::canonical(program_json(instance));
}

Result<void> read_program_text(std::string_view text, Instance& instance) {
    HF_TRY(auto value, json::parse(text));
    return read_program(value, instance);
}

}  // namespace holdfast
