#include "holdfast/client.h"

#include <algorithm>
#include <boost/json.hpp>

#include "client/decode.h"
#include "client/target.h"
#include "client/wire.h"

namespace holdfast::client {
namespace {

using http::Method;

std::string etag(const std::optional<Version>& version) {
    return version ? "\"" + std::to_string(*version) + "\"" : "*";
}

std::string_view name_of(OnConflict strategy) {
    switch (strategy) {
        case OnConflict::reject: return "reject";
        case OnConflict::server_wins: return "server-wins";
        case OnConflict::client_wins: return "client-wins";
        case OnConflict::merge: return "merge";
    }
    return "reject";
}

boost::json::object business_json(const BusinessReference& business) {
    boost::json::object parts;
    for (const auto& [name, value] : business.parts) parts[name] = value;
    boost::json::object object{{"parts", std::move(parts)}};
    if (!business.key.empty()) object["key"] = business.key;
    return object;
}

boost::json::object start_json(const StartSpec& spec) {
    boost::json::object body{{"definition", spec.definition},
                             {"state", spec.state},
                             {"stateMetadata", spec.state_metadata}};
    if (!spec.business.key.empty() || !spec.business.parts.empty())
        body["businessReference"] = business_json(spec.business);
    if (!spec.arguments.is_null()) body["arguments"] = spec.arguments;
    if (!spec.on_open.empty()) body["onOpen"] = spec.on_open;
    if (!spec.on_closed.empty()) body["onClosed"] = spec.on_closed;
    if (spec.priority > 0) body["priority"] = spec.priority;
    return body;
}

Call edit_call(std::string target, const Edit& edit) {
    if (const auto* merge = std::get_if<MergePatch>(&edit.change)) {
        Call call = with_json(Method::patch, std::move(target), merge->patch);
        call.content_type = "application/merge-patch+json";
        return call;
    }
    if (const auto* patch = std::get_if<JsonPatch>(&edit.change)) {
        Call call = with_json(Method::patch, std::move(target), patch->patch);
        call.content_type = "application/json-patch+json";
        return call;
    }
    const auto& replace = std::get<Replace>(edit.change);
    boost::json::object body;
    if (replace.state) body["state"] = *replace.state;
    if (replace.state_metadata) body["stateMetadata"] = *replace.state_metadata;
    return with_json(Method::patch, std::move(target), body);
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
    return text;
}

std::optional<std::string> serialized(const std::optional<Json>& value) {
    if (!value) return std::nullopt;
    return boost::json::serialize(*value);
}

std::string list_target(const ListQuery& query) {
    Target target({"workflows"});
    if (!query.statuses.empty()) target.with("status", joined(query.statuses));
    target.with_any("definition", query.definition).with_any("businessKey", query.business_key);
    for (const auto& [name, value] : query.business_parts)
        target.with("businessPart." + name, value);
    target.with_any("contains", serialized(query.contains));
    target.with_any("metaContains", serialized(query.meta_contains));
    for (const auto& [path, value] : query.paths) target.with("path." + path, value);
    target.with_any("createdFrom", query.created_from)
        .with_any("createdBefore", query.created_before);
    if (query.include == Include::state) target.with("include", "state");
    target.with_any("limit", query.limit).with_any("cursor", query.cursor);
    return std::move(target).text();
}

// A page whose `items` are read by `read`.
template <class T>
Answer<Page<T>> page_of(Answer<Reply> reply, Answer<T> (*read)(boost::json::object)) {
    if (!reply) return std::unexpected(std::move(reply.error()));
    auto items = items_of<T>(reply->body, read);
    if (!items) return std::unexpected(std::move(items.error()));
    return Page<T>{.items = *std::move(items),
                   .next_cursor = optional_text(reply->body, "nextCursor"),
                   .scanned = reply->body.contains("scanned"),
                   .partial = reply->body.contains("partial")};
}

template <class T>
Answer<T> read_with(Answer<Reply> reply, Answer<T> (*read)(boost::json::object)) {
    if (!reply) return std::unexpected(std::move(reply.error()));
    return read(std::move(reply->body));
}

}  // namespace

Client::Client(const std::string& server_url, ClientOptions options)
    : wire_(std::make_unique<Wire>(server_url, std::move(options))) {}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

Answer<Definition> Client::put_definition(const std::string& key, const DefinitionSpec& spec) {
    boost::json::array indexes;
    for (const std::string& path : spec.indexes) indexes.emplace_back(path);
    boost::json::object body{{"indexes", std::move(indexes)}};
    if (spec.schema) body["schema"] = *spec.schema;
    Call call = with_json(Method::put, Target({"definitions", key}).text(), body);
    call.repeat = http::Repeat::always;  // the same content keeps its version
    return read_with(wire_->send(std::move(call)), definition_of);
}

Answer<Workflow> Client::start(const StartSpec& spec) {
    Call call = with_json(Method::post, Target({"workflows"}).text(), start_json(spec));
    if (spec.idempotency_key) {
        call.headers.add("Idempotency-Key", *spec.idempotency_key);
        call.repeat = http::Repeat::always;
    }
    auto reply = wire_->send(std::move(call));
    const bool existed = reply && reply->status == 200;
    auto workflow = read_with(std::move(reply), workflow_of);
    if (workflow) workflow->existed = existed;
    return workflow;
}

Answer<Workflow> Client::get(const std::string& id) {
    return read_with(wire_->send(client::get(Target({"workflows", id}).text())), workflow_of);
}

Answer<std::variant<Edited, Conflict>> Client::patch_state(const std::string& id,
                                                           const Edit& edit) {
    Target target({"workflows", id, "state"});
    if (edit.on_conflict != OnConflict::reject)
        target.with("onConflict", name_of(edit.on_conflict));
    Call call = edit_call(std::move(target).text(), edit);
    call.headers.add("If-Match", etag(edit.expected_version));
    if (!edit.correlation.empty()) call.headers.add("X-Correlation-Id", edit.correlation);
    auto edited = read_with(wire_->send(std::move(call)), edited_of);
    if (edited) return *std::move(edited);
    if (auto conflict = conflict_of(edited.error())) return *std::move(conflict);
    return std::unexpected(std::move(edited.error()));
}

Answer<Page<Workflow>> Client::list(const ListQuery& query) {
    return page_of(wire_->send(client::get(list_target(query))),
                   query.include == Include::state ? workflow_of : listed_workflow_of);
}

Answer<HistoryPage> Client::history(const std::string& id, Version from,
                                    std::optional<std::size_t> limit) {
    Target target({"workflows", id, "history"});
    target.with("from", std::to_string(from)).with_any("limit", limit);
    auto reply = wire_->send(client::get(std::move(target).text()));
    if (!reply) return std::unexpected(std::move(reply.error()));
    auto items = items_of<HistoryEntry>(reply->body, history_entry_of);
    if (!items) return std::unexpected(std::move(items.error()));
    return HistoryPage{*std::move(items), optional_version(reply->body, "nextFrom")};
}

Answer<Cancelled> Client::cancel(const std::string& id, const std::string& reason) {
    return read_with(wire_->send(with_json(Method::post, Target({"workflows", id, "cancel"}).text(),
                                           boost::json::object{{"reason", reason}})),
                     cancelled_of);
}

Answer<std::variant<Cleared, Conflict>> Client::clear(const std::string& id,
                                                      Version expected_version) {
    Call call{.method = Method::del, .target = Target({"workflows", id}).text()};
    call.headers.add("If-Match", etag(expected_version));
    auto reply = wire_->send(std::move(call));
    if (reply) return Cleared{};
    if (auto conflict = conflict_of(reply.error())) return *std::move(conflict);
    return std::unexpected(std::move(reply.error()));
}

Answer<Checkpoint> Client::create_checkpoint(const std::string& id, const std::string& name) {
    return read_with(
        wire_->send(with_json(Method::post, Target({"workflows", id, "checkpoints"}).text(),
                              boost::json::object{{"name", name}})),
        checkpoint_of);
}

Answer<std::vector<Checkpoint>> Client::checkpoints(const std::string& id) {
    std::vector<Checkpoint> all;
    for (std::optional<std::string> cursor;;) {
        Target target({"workflows", id, "checkpoints"});
        target.with("include", "state").with_any("cursor", cursor);
        auto page =
            page_of<Checkpoint>(wire_->send(client::get(std::move(target).text())), checkpoint_of);
        if (!page) return std::unexpected(std::move(page.error()));
        std::ranges::move(page->items, std::back_inserter(all));
        cursor = page->next_cursor;
        if (!cursor) return all;
    }
}

Answer<Restored> Client::restore(const std::string& id, const std::string& checkpoint) {
    Call call{.method = Method::post,
              .target = Target({"workflows", id, "checkpoints", checkpoint, "restore"}).text()};
    return read_with(wire_->send(std::move(call)), restored_of);
}

Answer<Workflow> Client::fork(const std::string& id, const std::string& checkpoint,
                              const std::optional<BusinessReference>& business) {
    boost::json::object body;
    if (business) body["businessReference"] = business_json(*business);
    return read_with(
        wire_->send(with_json(Method::post,
                              Target({"workflows", id, "checkpoints", checkpoint, "fork"}).text(),
                              body)),
        workflow_of);
}

Answer<Page<Json>> Client::conflicts(const ConflictQuery& query) {
    Target target({"conflicts"});
    target.with_any("workflow", query.workflow).with_any("resolution", query.resolution);
    target.with_any("limit", query.limit).with_any("cursor", query.cursor);
    return page_of<Json>(wire_->send(client::get(std::move(target).text())),
                         [](boost::json::object item) -> Answer<Json> { return item; });
}

}  // namespace holdfast::client
