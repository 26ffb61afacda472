// The JSON of one member of an operation or outcome, by its type, and back.
#pragma once

#include <boost/json/array.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json/locate.h"
#include "model/codec/member_reader.h"
#include "operations/description.h"
#include "operations/operation.h"

namespace holdfast::op {

class MemberForm {
public:
    static boost::json::value of(const std::string& text) { return boost::json::value(text); }
    static boost::json::value of(std::uint64_t number) { return number; }
    static boost::json::value of(std::same_as<bool> auto flag) { return flag; }
    static boost::json::value of(Keep keep) { return keep == Keep::yes; }
    static boost::json::value of(std::chrono::microseconds time) { return time.count(); }
    static boost::json::value of(Moment moment);
    static boost::json::value of(const Digest& digest);
    static boost::json::value of(const Document& document) { return document.value(); }
    static boost::json::value of(const json::Path& path);
    static boost::json::value of(const BusinessReference& business);
    static boost::json::value of(const Wait& wait);
    static boost::json::value of(const TaskSpec& spec);
    static boost::json::value of(const Limits& limits);
    static boost::json::value of(const HumanTask& task);
    static boost::json::value of(const Instance& instance);
    static boost::json::value of(const holdfast::Checkpoint& checkpoint);
    static boost::json::value of(const std::shared_ptr<const Definition>& definition);
    static boost::json::value of(const Step& step);
    static boost::json::value of(const SchemaViolation& violation);
    static boost::json::value of(JsonText<const std::optional<std::string>> json);
    static boost::json::value of(Whole<const Instance> whole);
    template <class Tag>
    static boost::json::value of(const Id<Tag>& id) {
        return boost::json::value(to_string(id));
    }
    template <class Enum>
        requires std::is_enum_v<Enum>
    static boost::json::value of(Enum value) {
        return boost::json::value(name_of(value));
    }
    template <class T>
    static boost::json::value of(const std::optional<T>& member) {
        return member ? of(*member) : boost::json::value(nullptr);
    }
    template <class T>
    static boost::json::value of(const std::vector<T>& members) {
        boost::json::array list;
        for (const T& member : members) list.push_back(of(member));
        return list;
    }
    // A part that describes its members itself.
    template <class T>
        requires requires(const T& part, MemberForm& with) { T::describe(part, with); }
    static boost::json::object of(const T& part) {
        return write_members(part, {});
    }
    template <class... Kinds>
    static boost::json::value of(const std::variant<Kinds...>& one) {
        return std::visit(
            [](const auto& part) { return write_members(part, {{"kind", part.name}}); }, one);
    }

    // Adds the described members to the object.
    template <class T>
    static boost::json::object write_members(const T& described, boost::json::object object) {
        Writing with{object};
        if constexpr (requires { T::describe(described, with); }) T::describe(described, with);
        return object;
    }
    // The reader blames the members that are missing or invalid; an error: they do not fit.
    template <class T>
    static Result<void> read_members(MemberReader& reader, T& described) {
        Reading with{reader};
        if constexpr (requires { T::describe(described, with); }) T::describe(described, with);
        if constexpr (requires { described.complete(); }) {
            HF_CHECK(reader.give(true));
            return described.complete();
        }
        return {};
    }

    static void read(MemberReader& reader, std::string_view name, std::string& text);
    static void read(MemberReader& reader, std::string_view name, std::uint64_t& number);
    static void read(MemberReader& reader, std::string_view name, std::same_as<bool> auto& flag) {
        flag = reader.flag(name);
    }
    static void read(MemberReader& reader, std::string_view name, Keep& keep);
    static void read(MemberReader& reader, std::string_view name, std::chrono::microseconds& time);
    static void read(MemberReader& reader, std::string_view name, Moment& moment);
    static void read(MemberReader& reader, std::string_view name, Digest& digest);
    static void read(MemberReader& reader, std::string_view name, Document& document);
    static void read(MemberReader& reader, std::string_view name, BusinessReference& business);
    static void read(MemberReader& reader, std::string_view name, Wait& wait);
    static void read(MemberReader& reader, std::string_view name, TaskSpec& spec);
    static void read(MemberReader& reader, std::string_view name, Limits& limits);
    static void read(MemberReader& reader, std::string_view name, HumanTask& task);
    static void read(MemberReader& reader, std::string_view name, Instance& instance);
    static void read(MemberReader& reader, std::string_view name, holdfast::Checkpoint& checkpoint);
    static void read(MemberReader& reader, std::string_view name, std::vector<std::string>& texts);
    static void read(MemberReader& reader, std::string_view name, std::vector<json::Path>& paths);
    static void read(MemberReader& reader, std::string_view name, OnConflict& value);
    static void read(MemberReader& reader, std::string_view name, OnOpen& value);
    static void read(MemberReader& reader, std::string_view name, OnClosed& value);
    static void read(MemberReader& reader, std::string_view name, OnTargetEnded& value);
    static void read(MemberReader& reader, std::string_view name, FanOut& value);
    static void read(MemberReader& reader, std::string_view name, SignalType& value);
    static void read(MemberReader& reader, std::string_view name, DeadLetterReason& value);
    static void read(MemberReader& reader, std::string_view name, StepResult& value);
    static void read(MemberReader& reader, std::string_view name, Status& value);
    static void read(MemberReader& reader, std::string_view name,
                     JsonText<std::optional<std::string>> json);
    static void read(MemberReader& reader, std::string_view name, Whole<Instance> whole);
    template <class Tag>
    static void read(MemberReader& reader, std::string_view name, Id<Tag>& id) {
        id = reader.id<Id<Tag>>(name);
    }
    template <class T>
    static void read(MemberReader& reader, std::string_view name, std::optional<T>& member) {
        // null is a document too.
        const bool absent = std::same_as<T, Document> ? !reader.has(name) : reader.is_absent(name);
        member.reset();
        if (!absent) read(reader, name, member.emplace());
    }
    template <class T>
        requires requires(T& part, MemberForm& with) { T::describe(part, with); }
    static void read(MemberReader& reader, std::string_view name, T& part) {
        MemberReader inner(reader.value(name));
        if (!read_members(inner, part) || !inner.give(true)) reader.blame(name);
    }
    template <class T>
        requires requires(T& part, MemberForm& with) { T::describe(part, with); }
    static void read(MemberReader& reader, std::string_view name, std::vector<T>& parts) {
        const boost::json::array* list = reader.value(name).if_array();
        if (!list) return reader.blame(name);
        for (const boost::json::value& value : *list) {
            MemberReader inner(value);
            if (!read_members(inner, parts.emplace_back()) || !inner.give(true))
                return reader.blame(name);
        }
    }
    template <class... Kinds>
    static void read(MemberReader& reader, std::string_view name, std::variant<Kinds...>& one) {
        if (!read_kind(reader.value(name), one)) reader.blame(name);
    }
    template <class... Kinds>
    static void read(MemberReader& reader, std::string_view name,
                     std::vector<std::variant<Kinds...>>& all) {
        const boost::json::array* list = reader.value(name).if_array();
        if (!list) return reader.blame(name);
        for (const boost::json::value& value : *list)
            if (!read_kind(value, all.emplace_back())) return reader.blame(name);
    }

private:
    template <class... Kinds>
    static bool read_kind(const boost::json::value& value, std::variant<Kinds...>& one) {
        MemberReader reader(value);
        const std::string kind = reader.text("kind");
        const auto read_as = [&]<class Kind>(std::type_identity<Kind>) {
            return kind == Kind::name && read_members(reader, one.template emplace<Kind>());
        };
        return (read_as(std::type_identity<Kinds>()) || ...) && reader.give(true);
    }

    struct Writing {
        boost::json::object& object;

        template <class T>
        void operator()(std::string_view name, const T& member) {
            if constexpr (std::same_as<T, std::optional<Document>>)
                if (!member) return;
            object[name] = of(member);
        }
        void later(std::string_view name, const auto& member) { (*this)(name, member); }
    };

    struct Reading {
        MemberReader& reader;

        void operator()(std::string_view name, auto&& member) { read(reader, name, member); }
        void later(std::string_view name, auto&& member) {
            if (reader.has(name)) read(reader, name, member);
        }
    };
};

}  // namespace holdfast::op
