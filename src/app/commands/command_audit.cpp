// holdfast audit: who did what, and whether somebody has changed what the audit says.
#include <boost/json.hpp>
#include <fstream>
#include <map>

#include "app/commands/choose.h"
#include "client/target.h"
#include "model/audit_row.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct AuditFlags {
    ClientFlags server;
    std::optional<std::string> action;
    std::optional<std::string> of_user;
    std::optional<std::string> credential;
    std::optional<std::string> address;
    std::optional<std::string> from;
    std::optional<std::string> before;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
    std::string earlier;  // file of an export
};

std::string audit_line(const bj::object& row) {
    std::string line = text_of(row, "number") + "  " + text_of(row, "at") + "  " +
                       text_of(row, "action") + "  " + text_of(row, "target");
    if (text_of(row, "status") != "0") line += "  " + text_of(row, "status");
    const std::string user = text_of(row, "user");
    line += "  by " + (user.empty() ? "nobody in particular" : user);
    if (const std::string by = text_of(row, "by"); !by.empty()) line += " through " + by;
    if (const std::string id = text_of(row, "credential"); !id.empty()) line += " with " + id;
    if (const std::string from = text_of(row, "address"); !from.empty()) line += " from " + from;
    if (text_of(row, "count") != "1") line += "  " + text_of(row, "count") + " times";
    return line;
}

client::Target filtered(const AuditFlags& flags) {
    client::Target target({"audit"});
    target.with_any("action", flags.action).with_any("user", flags.of_user);
    target.with_any("credential", flags.credential).with_any("address", flags.address);
    target.with_any("from", flags.from).with_any("before", flags.before);
    return target;
}

ExitCode list_audit(const AuditFlags& flags, ServerCalls& calls) {
    client::Target target = filtered(flags);
    target.with_any("limit", flags.limit).with_any("cursor", flags.cursor);
    const auto page = calls.get(std::move(target).text());
    if (!page) return report(page.error());
    return print_page(*page, flags.server.format, audit_line);
}

// Every row, the oldest first. `take` gets a page and its rows.
ExitCode for_each_page(const AuditFlags& flags, ServerCalls& calls,
                       const std::function<ExitCode(const bj::object&)>& take) {
    std::optional<std::string> cursor;
    do {
        client::Target target = filtered(flags);
        target.with("order", "oldest").with("limit", "1000").with_any("cursor", cursor);
        const auto page = calls.get(std::move(target).text());
        if (!page) return report(page.error());
        if (const ExitCode taken = take(*page); taken != ExitCode::ok) return taken;
        const std::string next = text_of(*page, "nextCursor");
        cursor = next.empty() ? std::nullopt : std::optional(next);
    } while (cursor);
    return ExitCode::ok;
}

ExitCode export_audit(const AuditFlags& flags, ServerCalls& calls) {
    return for_each_page(flags, calls, [](const bj::object& page) {
        for (const bj::value& row : page.at("items").as_array()) print_line(bj::serialize(row));
        return ExitCode::ok;
    });
}

std::uint64_t number_in(const bj::object& object, std::string_view name) {
    const bj::value* value = object.if_contains(name);
    return value && value->is_number() ? value->to_number<std::uint64_t>() : 0;
}

// Follows the chain from its beginning.
class ChainCheck {
public:
    // What is wrong with the row; absent: it belongs behind the one before.
    std::optional<std::string> take(bj::object row) {
        const std::uint64_t number = number_in(row, "number");
        const std::string name = "row " + std::to_string(number);
        if (number != number_ + 1)
            return "row " + std::to_string(number_ + 1) + " is missing: behind row " +
                   std::to_string(number_) + " comes " + name;
        const std::string claimed = text_of(row, "hash");
        row.erase("hash");
        last_ = audit_hash(last_, row);
        if (to_hex(last_) != claimed) return name + " was changed, or one before it";
        number_ = number;
        ++count_;
        if (text_of(row, "action") == "forgetAudit") says_forgotten_ = true;
        return std::nullopt;
    }
    void begin(std::uint64_t forgotten, const Digest& anchor) {
        number_ = forgotten_ = forgotten;
        last_ = anchor;
    }
    // What is missing at an end of the chain.
    std::optional<std::string> end(std::uint64_t newest, const std::string& hash) const {
        if (newest == 0) return "it is empty, and a server writes a row when it starts";
        if (number_ != newest)
            return "the last rows are missing: there are rows up to " + std::to_string(number_) +
                   " of " + std::to_string(newest);
        if (to_hex(last_) != hash)
            return "row " + std::to_string(newest) + " is not the one that was written last";
        if (forgotten_ > 0 && !says_forgotten_)
            return "the first rows are missing, and no row says that retention has removed them";
        return std::nullopt;
    }
    std::uint64_t count() const { return count_; }
    std::string last() const { return to_hex(last_); }

private:
    std::uint64_t number_ = 0;
    std::uint64_t forgotten_ = 0;
    std::uint64_t count_ = 0;
    bool says_forgotten_ = false;
    Digest last_;
};

ExitCode found_wrong(const std::string& what) {
    print_error("the audit was changed: " + what);
    return ExitCode::failed;
}

// The hashes of an earlier export, by number.
using Earlier = std::map<std::uint64_t, std::string>;

Result<Earlier> read_export(const std::string& path) {
    Earlier earlier;
    if (path.empty()) return earlier;
    std::ifstream file(path);
    if (!file) return fail(ErrorCode::invalid_argument, "cannot read " + path);
    for (std::string line; std::getline(file, line);) {
        boost::system::error_code error;
        const bj::value row = bj::parse(line, error);
        if (error || !row.is_object())
            return fail(ErrorCode::invalid_argument,
                        path + " is no export of the audit: it must have one row as JSON a line");
        earlier.emplace(number_in(row.get_object(), "number"), text_of(row.get_object(), "hash"));
    }
    return earlier;
}

// Rows that were there and are others now. What retention has removed meanwhile is not missed.
std::optional<std::string> compare(const Earlier& earlier, const Earlier& now,
                                   std::uint64_t forgotten) {
    for (const auto& [number, hash] : earlier) {
        if (number <= forgotten) continue;
        const auto found = now.find(number);
        if (found == now.end() || found->second != hash)
            return "row " + std::to_string(number) + " is another one than in the export";
    }
    return std::nullopt;
}

struct Walk {
    ChainCheck chain;
    Earlier hashes;
    bool begun = false;
    bj::object newest;  // the last page
    std::optional<std::string> wrong;
};

ExitCode walk_page(Walk& walk, const bj::object& page, const Earlier& earlier) {
    if (!walk.begun) {
        const auto anchor = parse_digest(text_of(page, "forgottenHash"));
        walk.chain.begin(number_in(page, "forgotten"), anchor.value_or(Digest{}));
        walk.begun = true;
    }
    for (const bj::value& item : page.at("items").as_array()) {
        const bj::object& row = item.as_object();
        if (earlier.contains(number_in(row, "number")))
            walk.hashes.emplace(number_in(row, "number"), text_of(row, "hash"));
        walk.wrong = walk.chain.take(row);
        if (walk.wrong) return found_wrong(*walk.wrong);
    }
    walk.newest = page;
    walk.newest.erase("items");
    return ExitCode::ok;
}

ExitCode verify_audit(const AuditFlags& flags, ServerCalls& calls) {
    const auto earlier = read_export(flags.earlier);
    if (!earlier) return report(earlier.error());
    Walk walk;
    const ExitCode walked = for_each_page(
        flags, calls, [&](const bj::object& page) { return walk_page(walk, page, *earlier); });
    if (walked != ExitCode::ok) return walked;
    if (const auto wrong =
            walk.chain.end(number_in(walk.newest, "newest"), text_of(walk.newest, "newestHash")))
        return found_wrong(*wrong);
    if (const auto wrong = compare(*earlier, walk.hashes, number_in(walk.newest, "forgotten")))
        return found_wrong(*wrong);
    print_line("ok: " + std::to_string(walk.chain.count()) + " rows, the last one is " +
               text_of(walk.newest, "newest") + " with the hash " + walk.chain.last());
    return ExitCode::ok;
}

void add_filters(CLI::App& command, AuditFlags& flags) {
    command.add_option("--action", flags.action, "What was done, such as createKey");
    command.add_option("--of", flags.of_user, "Who did it");
    command.add_option("--credential", flags.credential, "Id of a key or a session");
    command.add_option("--address", flags.address, "Of the client");
    command.add_option("--from", flags.from, "Not before this time");
    command.add_option("--before", flags.before, "Before this time");
}

}  // namespace

void add_audit(CLI::App& program, Action& chosen) {
    CLI::App* audit = program.add_subcommand("audit", "See who did what, and check that it is so");
    audit->require_subcommand(1);
    auto listed = std::make_shared<AuditFlags>();
    CLI::App* list = audit->add_subcommand("list", "List what was done, the newest first");
    add_filters(*list, *listed);
    list->add_option("--limit", listed->limit, "Rows per page");
    list->add_option("--cursor", listed->cursor, "Cursor of the previous page");
    choose(*list, chosen, listed, list_audit);
    auto exported = std::make_shared<AuditFlags>();
    CLI::App* save = audit->add_subcommand("export", "Print all rows as JSON lines");
    add_filters(*save, *exported);
    choose(*save, chosen, exported, export_audit);
    auto verified = std::make_shared<AuditFlags>();
    CLI::App* verify = audit->add_subcommand("verify", "Check that no row was changed or removed");
    verify->add_option("--export", verified->earlier,
                       "File of an earlier export, whose rows must be there still");
    choose(*verify, chosen, verified, verify_audit);
}

}  // namespace holdfast::app
