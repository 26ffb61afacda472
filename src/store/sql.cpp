#include "store/sql.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/assert.h"
#include "store/tables/names.h"

namespace holdfast::sql {

const std::string& text_of(std::span<const Statement> statements, std::string_view name) {
    static std::mutex mutex;
    static std::map<const char*, std::string> texts;  // by their form without columns
    const auto found = std::ranges::find(statements, name, &Statement::name);
    HF_ASSERT(found != statements.end(), "every statement that is used is named in the .sql files");
    const std::lock_guard lock(mutex);
    std::string& text = texts[found->text.data()];
    if (text.empty()) text = tables::with_columns(found->text);
    return text;
}

}  // namespace holdfast::sql
