#include "store/tables/names.h"

#include <functional>
#include <map>
#include <regex>

#include "base/assert.h"
#include "store/tables/audit_table.h"
#include "store/tables/definition_table.h"
#include "store/tables/instance_table.h"
#include "store/tables/key_table.h"
#include "store/tables/mail_tables.h"
#include "store/tables/node_tables.h"
#include "store/tables/record_tables.h"
#include "store/tables/signal_tables.h"
#include "store/tables/task_tables.h"

namespace holdfast::tables {
namespace {

struct Name {
    std::string name;
    std::string type;  // of PostgreSQL
    bool list = false;
};
using Names = std::vector<Name>;

template <class T>
inline constexpr std::string_view type_name = "uuid";
template <>
inline constexpr std::string_view type_name<bool> = "boolean";
template <>
inline constexpr std::string_view type_name<std::uint32_t> = "integer";
template <>
inline constexpr std::string_view type_name<std::uint64_t> = "bigint";
template <>
inline constexpr std::string_view type_name<std::int64_t> = "bigint";
template <>
inline constexpr std::string_view type_name<std::string> = "text";
template <>
inline constexpr std::string_view type_name<Digest> = "bytea";
template <>
inline constexpr std::string_view type_name<Bytes> = "bytea";
template <>
inline constexpr std::string_view type_name<Moment> = "timestamptz";
template <>
inline constexpr std::string_view type_name<JsonText> = "jsonb";
template <>
inline constexpr std::string_view type_name<TextList> = "jsonb";
template <class T>
inline constexpr std::string_view type_name<std::optional<T>> = type_name<T>;

struct CollectNames {
    Names names;

    template <class Member>
    void operator()(std::string_view name, Member&&) {
        using Column = typename Stored<std::remove_cvref_t<Member>>::Column;
        names.push_back(
            {std::string(name), std::string(type_name<Column>), std::same_as<Column, TextList>});
    }
};

template <class... Tables>
std::map<std::string, Names, std::less<>> names_of() {
    const auto names = []<class Table>(std::type_identity<Table>) {
        CollectNames collect;
        typename Table::Row row;
        Table::columns(collect, row);
        return collect.names;
    };
    return {{std::string(Tables::name), names(std::type_identity<Tables>{})}...};
}

const Names& names_of(const std::string& table) {
    static const auto all =
        names_of<Instances, InstanceIdentity, InstanceMove, InstanceEdit, InstanceProgress, History,
                 Conflicts, Checkpoints, Tasks, OpenTaskProgress, TaskProgress, TaskEvents, Events,
                 DeadEvents, EventFates, Steps, Winners, SignalHead, SignalQueue, ScheduleQueue,
                 DeadLetters, Nodes, HostLocks, Definitions, DefinitionSummaries, Incidents,
                 ApiKeys, AuditRows, AuditHeads>();
    const auto found = all.find(table);
    HF_ASSERT(found != all.end(), "a statement names the columns of a described table");
    return found->second;
}

std::string list_of(const Names& names, const std::function<std::string(const Name&)>& show) {
    std::string list;
    for (const Name& name : names) list += (list.empty() ? "" : ", ") + show(name);
    return list;
}

// The value of a column that came in an array named `row`. Lists come as JSON.
std::string value_of(const std::string& row, const Name& name) {
    std::string column = row + "." + name.name;
    if (!name.list) return column;
    return "array(select e.text from jsonb_array_elements_text(" + column +
           ") with ordinality e (text, place) order by e.place)";
}

std::string expanded(const std::smatch& found) {
    const std::string sign = found[1];
    int number = found[2].matched ? std::stoi(found[2]) : 0;
    const bool rows = found[3].matched;
    const std::string alias = found[4];
    const std::string row = found[5];
    const Names& names = names_of(found[6]);
    int assigned = found[7].matched ? std::stoi(found[7]) : 0;
    return list_of(names, [&](const Name& name) {
        if (rows)
            return "unnest($" + std::to_string(number++) + "::" + name.type + "[]) as " + name.name;
        if (sign == "$") return "$" + std::to_string(number++) + "::" + name.type + "[]";
        if (sign == "?") return "?" + std::to_string(number++);
        if (assigned > 0) return name.name + " = ?" + std::to_string(assigned++);
        return row.empty() ? alias + name.name : value_of(row, name);
    });
}

}  // namespace

std::string with_columns(std::string_view statement) {
    static const std::regex braces(
        R"(\{(?:([?$])(\d+) (as )?)?(\w+\.)?(?:(\w+) -> )?(\w+)(?: = \?(\d+))?\})");
    std::string text(statement);
    std::string result;
    std::smatch found;
    auto from = text.cbegin();
    while (std::regex_search(from, text.cend(), found, braces)) {
        result.append(from, found[0].first);
        result += expanded(found);
        from = found[0].second;
    }
    return result.append(from, text.cend());
}

}  // namespace holdfast::tables
