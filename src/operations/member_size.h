// How much an operation carries, by its described members: the bytes of its texts and documents,
// and something for each row that a member of it becomes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json/document.h"
#include "model/journal.h"
#include "model/task.h"
#include "model/wait.h"
#include "operations/description.h"

namespace holdfast::op {

class MemberSize {
public:
    template <class T>
    static std::size_t of(const T&) {
        return 0;  // an id, a number, a name out of a list
    }
    static std::size_t of(const std::string& text) { return text.size(); }
    static std::size_t of(const json::Document& document) { return document.text().size(); }
    static std::size_t of(const Step& step) { return of(step.value); }
    static std::size_t of(const TaskSpec& spec) {
        return of(spec.payload) +
               row_bytes * (spec.candidate_users.size() + spec.candidate_groups.size());
    }
    // Each is looked up before it is registered.
    static std::size_t of(const Wait& wait) {
        return condition_bytes * (wait.names.size() + wait.workflows.size());
    }
    static std::size_t of(const JsonText<const std::optional<std::string>>& json) {
        return of(json.text);
    }
    template <class T>
    static std::size_t of(const std::optional<T>& member) {
        return member ? of(*member) : 0;
    }
    template <class T>
    static std::size_t of(const std::vector<T>& members) {
        std::size_t bytes = 0;
        for (const T& member : members) bytes += of(member);
        return bytes;
    }
    template <class... Kinds>
    static std::size_t of(const std::variant<Kinds...>& one) {
        return std::visit([](const auto& part) { return of(part); }, one);
    }
    template <class T>
        requires requires(const T& part, MemberSize& with) { T::describe(part, with); }
    static std::size_t of(const T& part) {
        MemberSize sum;
        T::describe(part, sum);
        return sum.bytes_;
    }

    // Called by `describe`.
    template <class T>
    void operator()(std::string_view, const T& member) {
        bytes_ += of(member);
    }
    template <class T>
    void later(std::string_view, const T& member) {
        bytes_ += of(member);
    }

private:
    static constexpr std::size_t row_bytes = 512;
    static constexpr std::size_t condition_bytes = 1'024;

    std::size_t bytes_ = 0;
};

}  // namespace holdfast::op
