#include "client/decode.h"

#include <boost/json.hpp>

namespace holdfast::client {
namespace {

// Reads members and remembers the first that is missing or has the wrong type.
class Reader {
public:
    explicit Reader(boost::json::object& object) : object_(object) {}

    std::string text(std::string_view name) {
        auto value = optional_text(object_, name);
        if (!value) note_missing(name);
        return std::move(value).value_or("");
    }
    Version version(std::string_view name) {
        const auto value = optional_version(object_, name);
        if (!value) note_missing(name);
        return value.value_or(0);
    }
    Json value(std::string_view name) {
        const Json* member = object_.if_contains(name);
        if (!member) note_missing(name);
        return member ? *member : Json();
    }
    bool flag(std::string_view name) {
        const Json* member = object_.if_contains(name);
        if (member && member->is_bool()) return member->get_bool();
        note_missing(name);
        return false;
    }

    template <class T>
    Answer<T> give(T value) {
        if (!missing_.empty())
            return std::unexpected(unexpected_answer("unexpected response: '" + missing_ +
                                                     "' is missing or has the wrong type"));
        return value;
    }

private:
    void note_missing(std::string_view name) {
        if (missing_.empty()) missing_ = name;
    }

    boost::json::object& object_;
    std::string missing_;
};

}  // namespace

std::optional<std::string> optional_text(const boost::json::object& object, std::string_view name) {
    const Json* value = object.if_contains(name);
    if (!value || !value->is_string()) return std::nullopt;
    return std::string(value->get_string());
}

std::optional<Version> optional_version(const boost::json::object& object, std::string_view name) {
    const Json* value = object.if_contains(name);
    if (!value || !value->is_int64() || value->get_int64() < 0) return std::nullopt;
    return static_cast<Version>(value->get_int64());
}

Answer<Workflow> workflow_of(boost::json::object object) {
    Reader reader(object);
    Workflow workflow{.id = reader.text("id"),
                      .version = reader.version("version"),
                      .status = reader.text("status"),
                      .definition = reader.text("definition"),
                      .state = reader.value("state"),
                      .state_metadata = reader.value("stateMetadata"),
                      .raw = {}};
    workflow.raw = std::move(object);
    return reader.give(std::move(workflow));
}

Answer<Workflow> listed_workflow_of(boost::json::object object) {
    Reader reader(object);
    Workflow workflow{.id = reader.text("id"),
                      .version = reader.version("version"),
                      .status = reader.text("status"),
                      .definition = reader.text("definition"),
                      .state = nullptr,
                      .state_metadata = nullptr,
                      .raw = {}};
    workflow.raw = std::move(object);
    return reader.give(std::move(workflow));
}

Answer<Edited> edited_of(boost::json::object object) {
    Reader reader(object);
    return reader.give(Edited{.version = reader.version("version"),
                              .state = reader.value("state"),
                              .state_metadata = reader.value("stateMetadata"),
                              .last_modified_at = reader.text("lastModifiedAt"),
                              .resolution = optional_text(object, "resolution")});
}

Answer<Cancelled> cancelled_of(boost::json::object object) {
    Reader reader(object);
    return reader.give(Cancelled{.version = reader.version("version"),
                                 .status = reader.text("status"),
                                 .changed = reader.flag("cancelled")});
}

Answer<HistoryEntry> history_entry_of(boost::json::object object) {
    Reader reader(object);
    HistoryEntry entry{.version = reader.version("version"),
                       .type = reader.text("type"),
                       .payload = reader.value("payload"),
                       .correlation = optional_text(object, "correlation").value_or(""),
                       .at = reader.text("at"),
                       .raw = {}};
    entry.raw = std::move(object);
    return reader.give(std::move(entry));
}

Answer<Checkpoint> checkpoint_of(boost::json::object object) {
    Reader reader(object);
    return reader.give(Checkpoint{.name = reader.text("name"),
                                  .version = reader.version("version"),
                                  .state = reader.value("state"),
                                  .state_metadata = reader.value("stateMetadata"),
                                  .created_at = reader.text("createdAt")});
}

Answer<Restored> restored_of(boost::json::object object) {
    Reader reader(object);
    return reader.give(Restored{.version = reader.version("version"),
                                .state = reader.value("state"),
                                .state_metadata = reader.value("stateMetadata"),
                                .safety_checkpoint = reader.text("safetyCheckpoint")});
}

Answer<Definition> definition_of(boost::json::object object) {
    Reader reader(object);
    Definition definition{
        .key = reader.text("key"), .version = reader.version("version"), .raw = {}};
    definition.raw = std::move(object);
    return reader.give(std::move(definition));
}

}  // namespace holdfast::client
