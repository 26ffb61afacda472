// Preloaded before SQLite into a server under test: logs every statement that it begins, one per
// line, to the file that STATEMENT_LOG names.
#include <dlfcn.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

int open_log() {
    const char* path = std::getenv("STATEMENT_LOG");
    return path ? ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
}

void log_statement(const char* text) {
    static const int log = open_log();
    std::string line(text ? text : "");
    std::ranges::replace(line, '\n', ' ');
    line.resize(std::min<std::size_t>(line.size(), 300));
    line += '\n';
    (void)!::write(log, line.data(), line.size());
}

}  // namespace

extern "C" int sqlite3_step(sqlite3_stmt* statement) {
    using Step = int (*)(sqlite3_stmt*);
    static const auto step = reinterpret_cast<Step>(::dlsym(RTLD_NEXT, "sqlite3_step"));
    if (sqlite3_stmt_busy(statement) == 0) log_statement(sqlite3_sql(statement));
    return step(statement);
}
