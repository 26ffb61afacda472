#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct TaskListFlags {
    ClientFlags server;
    std::optional<std::string> assignee;
    std::optional<std::string> holder;
    std::optional<std::string> candidate;
    std::optional<std::string> group;
    std::optional<std::string> definition;
    std::optional<std::string> business_key;
    std::vector<std::string> parts;
    std::optional<std::string> queue;
    std::optional<std::string> workflow;
    std::optional<std::string> state;
    std::optional<std::string> due_before;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
};

struct TaskShowFlags {
    ClientFlags server;
    std::string id;
    bool events = false;
};

struct ChangeFlags {
    ClientFlags server;
    std::string id;
    std::string person;  // the acting user; empty: the one of the request
    std::vector<std::string> groups;
    std::string if_match = "*";
    std::optional<std::string> to;
    std::optional<std::string> value;  // JSON: outputs or error
};

std::string summarized(const bj::object& task) {
    std::string line = text_of(task, "id") + "  " + text_of(task, "state") + "  v" +
                       text_of(task, "version") + "  " + text_of(task, "name");
    const auto add = [&](const char* label, std::string_view name) {
        if (const std::string text = text_of(task, name); !text.empty())
            line += std::string("  ") + label + text;
    };
    add("held by ", "holder");
    add("for ", "assignee");
    add("due ", "dueAt");
    if (const auto* business = task.if_contains("businessReference"))
        if (const std::string key = text_of(business->as_object(), "key"); !key.empty())
            line += "  " + key;
    return line;
}

Result<std::string> target_of(const TaskListFlags& flags) {
    HF_TRY(const auto parts, pairs("--part", flags.parts));
    client::Target target({"tasks"});
    for (const auto& [name, value] : parts) target.with("businessPart." + name, value);
    target.with_any("assignee", flags.assignee).with_any("holder", flags.holder);
    target.with_any("candidate", flags.candidate).with_any("group", flags.group);
    target.with_any("definition", flags.definition).with_any("businessKey", flags.business_key);
    target.with_any("queue", flags.queue).with_any("workflow", flags.workflow);
    target.with_any("state", flags.state).with_any("dueBefore", flags.due_before);
    target.with_any("limit", flags.limit).with_any("cursor", flags.cursor);
    return std::move(target).text();
}

ExitCode list_tasks(const TaskListFlags& flags, ServerCalls& calls) {
    const auto target = target_of(flags);
    if (!target) return report(target.error());
    const auto page = calls.get(*target);
    if (!page) return report(page.error());
    return print_page(*page, flags.server.format, summarized);
}

ExitCode show_task(const TaskShowFlags& flags, ServerCalls& calls) {
    const std::string target = flags.events ? client::Target({"tasks", flags.id, "events"}).text()
                                            : client::Target({"tasks", flags.id}).text();
    const auto answer = calls.get(target);
    if (!answer) return report(answer.error());
    if (flags.server.format == Format::text && !flags.events)
        print_lines(described(*answer));
    else
        print(flags.server.format, *answer);
    return ExitCode::ok;
}

Result<bj::object> body_of(const ChangeFlags& flags, const char* member) {
    const std::string& person = flags.person.empty() ? flags.server.user : flags.person;
    if (person.empty())
        return fail(ErrorCode::invalid_argument, "who acts? add --as USER, or set HOLDFAST_USER");
    bj::object body{{"user", person}};
    body["groups"] = bj::array(flags.groups.begin(), flags.groups.end());
    if (flags.to) body[member] = flags.to->empty() ? bj::value(nullptr) : bj::value(*flags.to);
    if (flags.value) {
        HF_TRY(const auto value, json_argument(("--" + std::string(member)).c_str(), flags.value));
        body[member] = *value;
    }
    return body;
}

ExitCode change(const ChangeFlags& flags, const std::string& verb, const char* member,
                ServerCalls& calls) {
    const auto body = body_of(flags, member);
    if (!body) return report(body.error());
    const auto task =
        calls.post(client::Target({"tasks", flags.id, verb}).text(), *body, flags.if_match);
    if (!task) return report(task.error());
    if (flags.server.format == Format::text)
        print_line(summarized(*task));
    else
        print(flags.server.format, *task);
    return ExitCode::ok;
}

void add_task_list(CLI::App& tasks, Action& chosen) {
    auto flags = std::make_shared<TaskListFlags>();
    CLI::App* command = tasks.add_subcommand("list", "List tasks, oldest first");
    command->add_option("--assignee", flags->assignee, "User the task is assigned to");
    command->add_option("--holder", flags->holder, "User who claimed the task");
    command->add_option("--candidate", flags->candidate, "Candidate user");
    command->add_option("--group", flags->group, "Candidate group");
    command->add_option("--definition", flags->definition, "Definition key of the workflow");
    command->add_option("--business-key", flags->business_key, "Business key of the workflow");
    command->add_option("--part", flags->parts, "Business reference part, NAME=VALUE; repeatable")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--queue", flags->queue, "Task queue");
    command->add_option("--workflow", flags->workflow, "Id or business key of the workflow");
    command->add_option(
        "--state", flags->state,
        "open, created, claimed, completed, failed or cancelled; several separated by commas");
    command->add_option("--due-before", flags->due_before, "Due before this UTC time");
    command->add_option("--limit", flags->limit, "Tasks per page");
    command->add_option("--cursor", flags->cursor, "Cursor of the previous page");
    choose(*command, chosen, flags, list_tasks);
}

void add_task_show(CLI::App& tasks, Action& chosen) {
    auto flags = std::make_shared<TaskShowFlags>();
    CLI::App* command = tasks.add_subcommand("show", "Show a task or its events");
    command->add_option("id", flags->id, "Task id")->required();
    command->add_flag("--events", flags->events, "Show the task's events, oldest first");
    choose(*command, chosen, flags, show_task);
}

struct Verb {
    const char* name;
    const char* help;
    const char* member;  // of the request's body, in addition to user and groups
    const char* argument;
    const char* argument_help;
};

constexpr Verb verbs[] = {
    {"claim", "Claim a task", "", nullptr, nullptr},
    {"release", "Release a claimed task", "", nullptr, nullptr},
    {"assign", "Assign a task to a user", "assignee", "--to", "User; empty: unassign"},
    {"delegate", "Delegate a task to another user", "to", "--to", "User"},
    {"complete", "Complete a task", "outputs", "--outputs", "Outputs: JSON, @FILE or -"},
    {"fail", "Fail a task that cannot be done", "error", "--error", "Error: JSON, @FILE or -"},
    {"cancel", "Cancel a task", "", nullptr, nullptr},
};

void add_task_verb(CLI::App& tasks, Action& chosen, const Verb& verb) {
    auto flags = std::make_shared<ChangeFlags>();
    CLI::App* command = tasks.add_subcommand(verb.name, verb.help);
    command->add_option("id", flags->id, "Task id")->required();
    command->add_option("--as", flags->person, "The acting user; absent: that of --user")
        ->envname("HOLDFAST_PERSON");
    command->add_option("--in", flags->groups, "Group of the acting user; repeatable")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--if-match", flags->if_match, "Expected version of the task, or * for any")
        ->capture_default_str();
    if (verb.argument) {
        const bool is_person = std::string_view(verb.argument) == "--to";
        auto* option = command->add_option(verb.argument, is_person ? flags->to : flags->value,
                                           verb.argument_help);
        if (is_person) option->required();
    }
    choose(*command, chosen, flags, [verb](const ChangeFlags& given, ServerCalls& calls) {
        return change(given, verb.name, verb.member, calls);
    });
}

}  // namespace

void add_tasks(CLI::App& program, Action& chosen) {
    CLI::App* tasks = program.add_subcommand("tasks", "Work on human tasks");
    tasks->require_subcommand(1);
    add_task_list(*tasks, chosen);
    add_task_show(*tasks, chosen);
    for (const Verb& verb : verbs) add_task_verb(*tasks, chosen, verb);
}

}  // namespace holdfast::app
