// Commands for operators of processes: incidents, jobs, and definitions that are switched off.
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "app/commands/commands.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct WorkFlags {
    ClientFlags server;
    std::optional<std::string> kind;  // the code of incidents, the type of jobs
    std::optional<std::string> definition;
    std::optional<std::string> workflow;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
};

struct SwitchFlags {
    ClientFlags server;
    std::string definition;
};

std::string incident_line(const bj::object& incident) {
    const std::string key = text_of(incident, "businessKey");
    return text_of(incident, "workflow") + "  " + text_of(incident, "code") + "  " +
           text_of(incident, "definition") + " version " + text_of(incident, "definitionVersion") +
           (key.empty() ? "" : "  " + key) + "  at " + text_of(incident, "updatedAt");
}

std::string job_line(const bj::object& job) {
    return text_of(job, "id") + "  " + text_of(job, "type") + "  at " + text_of(job, "element") +
           " of " + text_of(job, "workflow") + "  attempt " + text_of(job, "attempts") + " of " +
           text_of(job, "retries") +
           (text_of(job, "leased") == "true" ? "  in work" : "  from " + text_of(job, "visibleAt"));
}

std::string work_target(const WorkFlags& flags, const char* list, const char* kind) {
    client::Target target({list});
    target.with_any(kind, flags.kind).with_any("definition", flags.definition);
    target.with_any("workflow", flags.workflow);
    target.with_any("limit", flags.limit).with_any("cursor", flags.cursor);
    return std::move(target).text();
}

ExitCode list_incidents(const WorkFlags& flags, ServerCalls& calls) {
    const auto page = calls.get(work_target(flags, "incidents", "code"));
    if (!page) return report(page.error());
    return print_page(*page, flags.server.format, incident_line);
}

ExitCode list_jobs(const WorkFlags& flags, ServerCalls& calls) {
    const auto page = calls.get(work_target(flags, "jobs", "type"));
    if (!page) return report(page.error());
    return print_page(*page, flags.server.format, job_line);
}

ExitCode switch_definition(const SwitchFlags& flags, ServerCalls& calls, const char* what) {
    const auto done = calls.post(client::Target({"definitions", flags.definition, what}).text());
    if (!done) return report(done.error());
    if (flags.server.format == Format::text)
        print_line(flags.definition +
                   (text_of(*done, "disabled") == "true" ? " is disabled" : " is enabled") +
                   " (version " + text_of(*done, "version") + ")");
    else
        print(flags.server.format, *done);
    return ExitCode::ok;
}

void add_work_flags(CLI::App& command, WorkFlags& flags, const char* kind, const char* help) {
    command.add_option(kind, flags.kind, help);
    command.add_option("--definition", flags.definition, "Key of their workflows' definition");
    command.add_option("--workflow", flags.workflow, "Id or business key of the workflow");
    command.add_option("--limit", flags.limit, "Items per page");
    command.add_option("--cursor", flags.cursor, "Cursor of the previous page");
}

}  // namespace

void add_work(CLI::App& program, Action& chosen) {
    auto incidents = std::make_shared<WorkFlags>();
    CLI::App* incident_list =
        program.add_subcommand("incidents", "List the open workflows that cannot go on");
    add_work_flags(*incident_list, *incidents, "--code", "Code of the incident, such as no_flow");
    choose(*incident_list, chosen, incidents, list_incidents);
    auto jobs = std::make_shared<WorkFlags>();
    CLI::App* job_list = program.add_subcommand("jobs", "List the jobs that are not done");
    add_work_flags(*job_list, *jobs, "--type", "Type of the jobs");
    choose(*job_list, chosen, jobs, list_jobs);
    const auto add_switch = [&](CLI::App* command, const char* what) {
        auto flags = std::make_shared<SwitchFlags>();
        command->add_option("definition", flags->definition, "Definition key")->required();
        choose(*command, chosen, flags, [what](const SwitchFlags& its, ServerCalls& calls) {
            return switch_definition(its, calls, what);
        });
    };
    add_switch(
        program.add_subcommand("disable", "Let nobody start a definition; its workflows go on"),
        "disable");
    add_switch(program.add_subcommand("enable", "Let a disabled definition be started again"),
               "enable");
}

}  // namespace holdfast::app
