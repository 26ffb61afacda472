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

bj::object to_json(const Program& program) {
    bj::object object;
    if (program.rollback) object["rollback"] = true;
    if (program.unwinding) object["unwinding"] = true;
    if (program.buried) object["buried"] = true;
    if (program.retry) object["retry"] = to_json(*program.retry);
    return object;
}

std::string program_text(const Program& program) { return json::canonical(to_json(program)); }

Result<Program> program_from_json(const bj::value& value) {
    MemberReader reader(value);
    Program program;
    program.rollback = reader.has("rollback");
    program.unwinding = reader.has("unwinding");
    program.buried = reader.has("buried");
    if (reader.has("retry")) program.retry = read_retry(reader.value("retry"), reader);
    return reader.give(std::move(program));
}

Result<Program> program_from_text(std::string_view text) {
    HF_TRY(auto value, json::parse(text));
    return program_from_json(value);
}

}  // namespace holdfast
