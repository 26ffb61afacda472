// The tables of a dump, and the common text form of their rows.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/canonical.h"
#include "store/memory/tables.h"
#include "support/store_dump.h"

namespace holdfast::testing {

constexpr const char* nothing = "~";

// Determines the text form of a column in each dialect.
enum class Kind { text, number, flag, id, digest, time, list, instance };

struct Column {
    Kind kind;
    std::string name;
};

struct Table {
    std::string name;
    std::vector<Column> columns;
    std::string on_sqlite{};  // what to read there instead
};

// A row of a memory store in the text form of the databases.
class Line {
public:
    Line& add(const std::string& text) {
        text_ += (text_.empty() ? "" : "|") + text;
        return *this;
    }
    Line& add(std::string_view text) { return add(std::string(text)); }
    Line& add(std::uint64_t number) { return add(std::to_string(number)); }
    Line& add(Moment moment) { return add(std::to_string(moment.time_since_epoch().count())); }
    Line& add(const Digest& digest) { return add(to_hex(digest)); }
    template <class Tag>
    Line& add(const Id<Tag>& id) {
        std::string text = to_string(id);
        std::erase(text, '-');
        return add(text);
    }
    template <class T>
    Line& add(const std::optional<T>& value) {
        return value ? add(*value) : add(std::string(nothing));
    }
    operator std::string() const { return text_; }

private:
    std::string text_;
};

inline std::string paths_text(const std::vector<std::string>& paths) {
    return json::canonical(boost::json::array(paths.begin(), paths.end()));
}

std::vector<Table> task_tables();
void dump_tasks(const memory::Tables& tables, Dump& dump);

}  // namespace holdfast::testing
