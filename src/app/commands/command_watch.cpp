#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <iostream>

#include "app/commands/server_calls.h"
#include "base/threads/pause.h"
#include "client/event_reader.h"
#include "client/target.h"
#include "client/wire.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

constexpr std::chrono::seconds pause_after_loss{1};

struct WatchFlags {
    ClientFlags server;
    std::string workflow;
    std::optional<std::string> definition;
    std::optional<std::string> business_key;
    std::optional<std::string> kind;
    std::string after;
    std::size_t count = 0;  // 0: without end
};

std::string line_of(const bj::object& record) {
    std::string line = text_of(record, "at");
    for (const char* name : {"kind", "type", "workflow", "definition", "businessKey"})
        if (const std::string value = text_of(record, name); !value.empty()) line += "  " + value;
    if (const auto* version = record.if_contains("version"))
        line += "  version " + bj::serialize(*version);
    for (const char* name : {"task", "deadLetter", "deadEvent"})
        if (const std::string value = text_of(record, name); !value.empty())
            line += std::string("  ") + name + " " + value;
    if (const std::string user = text_of(record, "user"); !user.empty()) line += "  by " + user;
    return line;
}

class Watch {
public:
    Watch(const WatchFlags& flags, ServerCalls& calls, std::string workflow)
        : flags_(flags), calls_(calls), workflow_(std::move(workflow)), after_(flags.after) {}

    ExitCode run() {
        for (;; pause_for(pause_after_loss)) {
            reader_.begin_again();
            const auto ended = calls_.follow(target(), after_, [&](std::string_view bytes) {
                const bool goes_on =
                    reader_.add(bytes, [&](const auto& event) { return show(event); });
                if (!reader_.last_id().empty()) after_ = reader_.last_id();
                return goes_on;
            });
            if (is_done_) return ExitCode::ok;
            if (!ended && (after_.empty() || !is_lost(ended.error()))) return report(ended.error());
            print_error("the stream ended; connecting again");
        }
    }

private:
    static bool is_lost(const client::Failure& failure) {
        return failure.status == 0 || failure.status >= 500 || failure.status == 429;
    }

    std::string target() const {
        client::Target target({"stream"});
        if (!workflow_.empty()) target.with("workflow", workflow_);
        target.with_any("definition", flags_.definition);
        target.with_any("businessKey", flags_.business_key);
        target.with_any("kind", flags_.kind);
        return std::move(target).text();
    }

    // False: it was the last one.
    bool show(const client::ServerEvent& event) {
        boost::system::error_code error;
        bj::value value = bj::parse(event.data, error);
        if (error || !value.is_object() || event.type == "end") return true;
        bj::object& record = value.get_object();
        if (flags_.server.format == Format::text) print_line(line_of(record));
        record["position"] = event.id;
        if (flags_.server.format != Format::text) print(flags_.server.format, value);
        std::cout.flush();  // also into a file or a pipe: who reads it follows what happens
        return !(is_done_ = ++shown_ == flags_.count);
    }

    const WatchFlags& flags_;
    ServerCalls& calls_;
    const std::string workflow_;
    std::string after_;
    client::EventReader reader_;
    std::size_t shown_ = 0;
    bool is_done_ = false;
};

ExitCode watch(const WatchFlags& flags) {
    auto calls = ServerCalls::to(flags.server);
    if (!calls) return report(calls.error());
    std::string workflow;
    if (!flags.workflow.empty()) {
        auto id = workflow_id(*calls, flags.workflow);
        if (!id) return report(id.error());
        workflow = *std::move(id);
    }
    return Watch(flags, *calls, std::move(workflow)).run();
}

}  // namespace

void add_watch(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<WatchFlags>();
    CLI::App* command = program.add_subcommand("watch", "Show what happens, as it happens");
    command->add_option("id", flags->workflow, "Only of this workflow: its id or business key");
    command->add_option("--definition", flags->definition, "Only of workflows of this definition");
    command->add_option("--business-key", flags->business_key,
                        "Only of workflows with this business key");
    command->add_option("--kind", flags->kind,
                        "workflow, incident, task, deadLetter, deadEvent, or several with commas");
    command->add_option("--after", flags->after, "Begin behind this position, not now");
    command->add_option("--count", flags->count, "End after so many; default: never");
    add_client_flags(*command, flags->server);
    command->callback([flags, &chosen] { chosen = [flags] { return watch(*flags); }; });
}

}  // namespace holdfast::app
