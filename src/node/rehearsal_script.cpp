#include "node/rehearsal_script.h"

#include <boost/json.hpp>
#include <functional>

#include "base/json/parse.h"
#include "base/time/duration.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

Result<void> perform_complete(Rehearsal& rehearsal, std::string_view rest) {
    const std::string element = take_word(rest);
    HF_TRY(const bj::object outputs, read_values(rest));
    return rehearsal.complete_task(element, outputs);
}

Result<void> perform_end_job(Rehearsal& rehearsal, std::string_view rest) {
    const std::string element = take_word(rest);
    std::string_view after = rest;
    const std::string how = take_word(after);
    if (how == "error") return rehearsal.end_job(element, {{"error", after}});
    if (how == "fail") return rehearsal.end_job(element, {{"failed", after}});
    HF_TRY(bj::object variables, read_values(rest));
    return rehearsal.end_job(element, {{"variables", std::move(variables)}});
}

Result<void> perform_send(Rehearsal& rehearsal, std::string_view rest) {
    const std::string word = take_word(rest);
    const std::size_t slash = word.find('/');
    HF_TRY(const bj::object value, read_values(rest));
    return rehearsal.send(word.substr(0, slash), slash == word.npos ? "" : word.substr(slash + 1),
                          value, FanOut::one);
}

Result<void> perform_signal(Rehearsal& rehearsal, std::string_view rest) {
    const std::string name = take_word(rest);
    HF_TRY(const bj::object value, read_values(rest));
    return rehearsal.send(name, "", value, FanOut::all);
}

Result<void> perform_advance(Rehearsal& rehearsal, std::string_view rest) {
    if (rest.empty()) {
        if (rehearsal.advance_to_next()) return {};
        return fail(ErrorCode::not_found, "no timer is set");
    }
    const auto time = parse_duration(rest);
    if (!time)
        return fail(ErrorCode::invalid_argument,
                    "'" + std::string(rest) + "' is no duration such as 90s, 15m or 2d");
    rehearsal.advance(*time);
    return {};
}

Result<void> perform_set(Rehearsal& rehearsal, std::string_view rest) {
    HF_TRY(const bj::object variables, read_values(rest));
    return rehearsal.patch(variables);
}

}  // namespace

std::string take_word(std::string_view& text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string word(text.substr(0, end));
    const std::size_t next = text.find_first_not_of(' ', end);
    text.remove_prefix(std::min(next, text.size()));
    return word;
}

Result<bj::object> read_values(std::string_view text) {
    if (text.empty()) return bj::object{};
    HF_TRY(bj::value value, json::parse(text));
    if (value.is_object()) return std::move(value.get_object());
    return fail(ErrorCode::invalid_argument, "'" + std::string(text) + "' is no JSON object");
}

Result<void> perform(Rehearsal& rehearsal, std::string_view line) {
    const std::string word = take_word(line);
    if (word == "complete") return perform_complete(rehearsal, line);
    if (word == "job") return perform_end_job(rehearsal, line);
    if (word == "send") return perform_send(rehearsal, line);
    if (word == "signal") return perform_signal(rehearsal, line);
    if (word == "advance") return perform_advance(rehearsal, line);
    if (word == "retry") return rehearsal.retry(std::string(line));
    if (word == "set") return perform_set(rehearsal, line);
    return fail(ErrorCode::invalid_argument,
                "'" + word + "' is none of complete, job, send, signal, advance, retry, set");
}

}  // namespace holdfast
