// Converts the server's JSON to the client's values.
#pragma once

#include "client/wire.h"

namespace holdfast::client {

Answer<Workflow> workflow_of(boost::json::object object);
// Without state and metadata.
Answer<Workflow> listed_workflow_of(boost::json::object object);
Answer<Edited> edited_of(boost::json::object object);
Answer<Cancelled> cancelled_of(boost::json::object object);
Answer<HistoryEntry> history_entry_of(boost::json::object object);
Answer<Checkpoint> checkpoint_of(boost::json::object object);
Answer<Restored> restored_of(boost::json::object object);
Answer<Definition> definition_of(boost::json::object object);

// `items`, each read by `read`.
template <class T>
Answer<std::vector<T>> items_of(boost::json::object& page, Answer<T> (*read)(boost::json::object)) {
    std::vector<T> items;
    Json* list = page.if_contains("items");
    if (!list || !list->is_array())
        return std::unexpected(unexpected_answer("unexpected response: 'items' is missing"));
    for (Json& element : list->get_array()) {
        if (!element.is_object())
            return std::unexpected(
                unexpected_answer("unexpected response: an item is not an object"));
        auto item = read(std::move(element.get_object()));
        if (!item) return std::unexpected(std::move(item.error()));
        items.push_back(*std::move(item));
    }
    return items;
}

std::optional<std::string> optional_text(const boost::json::object& object, std::string_view name);
std::optional<Version> optional_version(const boost::json::object& object, std::string_view name);

}  // namespace holdfast::client
