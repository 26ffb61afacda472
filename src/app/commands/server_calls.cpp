#include "app/commands/server_calls.h"

#include <boost/json.hpp>

#include "base/ids/uuid.h"
#include "base/json/parse.h"
#include "client/target.h"
#include "client/wire.h"

namespace holdfast::app {

namespace bj = boost::json;

Result<ServerCalls> ServerCalls::to(const ClientFlags& flags) {
    HF_TRY(const std::string token, read_token(flags));
    HF_TRY(auto connection, http::ClientConnection::to(flags.server, connection_options(flags)));
    http::Headers headers;
    headers.add("Accept", "application/json");
    if (!token.empty()) headers.add("Authorization", "Bearer " + token);
    if (!flags.user.empty()) headers.add("X-User-Id", flags.user);
    return ServerCalls(std::move(connection), std::move(headers));
}

client::Answer<bj::object> ServerCalls::get(const std::string& target) {
    return answer_of(
        connection_.exchange(http::Method::get, target, headers_, {}, http::Repeat::if_safe));
}

client::Answer<bj::object> ServerCalls::post(const std::string& target, const bj::object& body,
                                             const std::string& if_match) {
    http::Headers headers = headers_;
    headers.add("Content-Type", "application/json");
    if (!if_match.empty()) headers.add("If-Match", if_match);
    return answer_of(connection_.exchange(http::Method::post, target, headers, bj::serialize(body),
                                          http::Repeat::if_safe));
}

client::Answer<bj::object> ServerCalls::put(const std::string& target, const bj::object& body) {
    http::Headers headers = headers_;
    headers.add("Content-Type", "application/json");
    return answer_of(connection_.exchange(http::Method::put, target, headers, bj::serialize(body),
                                          http::Repeat::if_safe));
}

client::Answer<bj::object> ServerCalls::post_model(const std::string& target,
                                                   const std::string& xml) {
    http::Headers headers = headers_;
    headers.add("Content-Type", "application/xml");
    return answer_of(
        connection_.exchange(http::Method::post, target, headers, xml, http::Repeat::if_safe));
}

client::Answer<std::string> ServerCalls::get_text(const std::string& target) {
    auto response =
        connection_.exchange(http::Method::get, target, headers_, {}, http::Repeat::if_safe);
    if (!response) return std::unexpected(client::failure_of(response.error()));
    if (response->status >= 400) return std::unexpected(client::failure_of(*response));
    return std::move(response->body);
}

client::Answer<void> ServerCalls::follow(const std::string& target, const std::string& after,
                                         const std::function<bool(std::string_view)>& take) {
    http::Headers headers = headers_;
    if (!after.empty()) headers.add("Last-Event-ID", after);
    const auto response = connection_.follow(target, headers, take);
    if (!response) return std::unexpected(client::failure_of(response.error()));
    if (response->status >= 400) return std::unexpected(client::failure_of(*response));
    return {};
}

client::Answer<bj::object> ServerCalls::remove(const std::string& target) {
    return answer_of(
        connection_.exchange(http::Method::del, target, headers_, {}, http::Repeat::if_safe));
}

client::Answer<bj::object> ServerCalls::answer_of(Result<http::Response> response) {
    if (!response) return std::unexpected(client::failure_of(response.error()));
    if (response->status >= 400) return std::unexpected(client::failure_of(*response));
    if (response->status == 204) return bj::object{};
    auto body = json::parse(response->body, {.depth = 128, .nodes = 50'000'000});
    if (body && body->is_object()) return std::move(body->get_object());
    return std::unexpected(
        client::unexpected_answer("the response is not a JSON object; is this a Holdfast server?"));
}

namespace {

// The first two workflows that the filter finds.
client::Answer<bj::array> first_two(ServerCalls& calls, const char* filter,
                                    const std::string& text) {
    client::Target target({"workflows"});
    target.with(filter, text).with("limit", "2");
    const auto page = calls.get(std::move(target).text());
    if (!page) return std::unexpected(page.error());
    const bj::value* found = page->if_contains("items");
    if (!found || !found->is_array())
        return std::unexpected(client::unexpected_answer("the response is not a list"));
    return found->get_array();
}

// Whether an id may begin so.
bool begins_id(const std::string& text) {
    return text.size() >= 8 && text.size() <= 36 &&
           text.find_first_not_of("0123456789abcdef-") == std::string::npos;
}

}  // namespace

client::Answer<std::string> workflow_id(ServerCalls& calls, const std::string& id_or_key) {
    if (parse_uuid(id_or_key)) return id_or_key;
    auto keyed = first_two(calls, "businessKey", id_or_key);
    if (!keyed) return std::unexpected(keyed.error());
    if (keyed->empty() && begins_id(id_or_key)) {
        auto begun = first_two(calls, "idPrefix", id_or_key);
        // Not every such text begins an id.
        if (begun) keyed = std::move(begun);
        if (keyed->size() > 1)
            return std::unexpected(
                client::Failure{.kind = client::FailureKind::invalid,
                                .status = 400,
                                .message = "several workflows have an id that begins with '" +
                                           id_or_key + "'; give more of it"});
    }
    const bj::array& items = *keyed;
    if (items.size() == 1) return text_of(items[0].as_object(), "id");
    const bool several = !items.empty();
    return std::unexpected(client::Failure{
        .kind = several ? client::FailureKind::invalid : client::FailureKind::not_found,
        .status = several ? 400 : 404,
        .message = several ? "several workflows have the business key '" + id_or_key +
                                 "'; name one by its id: 'holdfast list --business-key " +
                                 id_or_key + "' lists them"
                           : "no workflow has the id or the business key '" + id_or_key + "'"});
}

client::Answer<std::string> workflow_id(const ClientFlags& flags, const std::string& id_or_key) {
    if (parse_uuid(id_or_key)) return id_or_key;
    auto calls = ServerCalls::to(flags);
    if (!calls) return std::unexpected(client::failure_of(calls.error()));
    return workflow_id(*calls, id_or_key);
}

std::string text_of(const bj::object& object, std::string_view name) {
    const bj::value* value = object.if_contains(name);
    if (!value || value->is_null()) return {};
    return value->is_string() ? std::string(value->get_string()) : bj::serialize(*value);
}

Lines described(const bj::object& object) {
    Lines lines;
    for (const auto& member : object) {
        const std::string value = text_of(object, member.key());
        if (value.empty() || value == "[]") continue;
        std::string label(member.key());
        label.resize(18, ' ');
        lines.push_back(label + value);
    }
    return lines;
}

ExitCode print_page(const bj::object& page, Format format,
                    std::string (*summarized)(const bj::object&)) {
    if (format == Format::json) {
        print(Format::json, page);
        return ExitCode::ok;
    }
    const bj::value* items = page.if_contains("items");
    for (const bj::value& item : items && items->is_array() ? items->get_array() : bj::array{}) {
        if (format == Format::jsonl)
            print(Format::jsonl, item);
        else if (item.is_object())
            print_line(summarized(item.get_object()));
    }
    const std::string next = text_of(page, "nextCursor");
    if (next.empty()) return ExitCode::ok;
    if (format == Format::text)
        print_line("next page: --cursor " + next);
    else
        print_error("there are more; next page: --cursor " + next);
    return ExitCode::ok;
}

}  // namespace holdfast::app
