// `holdfast run FILE`: plays a model through in memory, without a server.
#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <fstream>
#include <iostream>
#include <iterator>

#include "app/commands/client_flags.h"
#include "app/commands/commands.h"
#include "node/rehearsal_script.h"

namespace holdfast::app {
namespace {

constexpr std::size_t most_answers = 100'000;

struct RunFlags {
    std::string file;
    std::optional<std::string> variables;
    std::optional<std::string> process;
    std::optional<std::string> answers;
};

std::string open_line(const Rehearsal::Open& open) {
    std::string line = "  waits for " + std::string(name_of(open.what)) + " at " + open.element;
    if (open.what == Rehearsal::Awaits::event)
        line += ": " + open.name + (open.key.empty() ? "" : "/" + open.key);
    if (open.due) line += ", until " + to_iso8601(*open.due).substr(0, 19);
    return line;
}

void print_trace(Rehearsal& rehearsal) {
    for (const std::string& line : rehearsal.trace()) print_line(line);
}

// How it ended, and with which variables.
ExitCode print_end(const Instance& instance) {
    print_line(std::string(name_of(instance.status)));
    if (instance.result) print(Format::text, instance.result->value());
    return instance.status == Status::succeeded ? ExitCode::ok : ExitCode::failed;
}

std::string key_to_start(const RunFlags& flags, const std::vector<std::string>& keys) {
    if (flags.process) return *flags.process;
    return keys.empty() ? "" : keys.front();
}

// Reads answers until the process has ended. False: there are no more answers.
bool answer_all(Rehearsal& rehearsal, const InstanceId& id, std::istream& answers) {
    for (std::size_t i = 0; i < most_answers && is_open(rehearsal.read(id).status); ++i) {
        for (const Rehearsal::Open& open : rehearsal.open()) print_line(open_line(open));
        std::string line;
        do {
            if (!std::getline(answers, line)) return false;
        } while (line.empty() || line.starts_with('#'));
        print_line("> " + line);
        if (const auto done = perform(rehearsal, line); !done)
            print_error("holdfast: " + done.error().message);
        print_trace(rehearsal);
    }
    return true;
}

ExitCode play(const RunFlags& flags, std::istream& answers) {
    std::ifstream file(flags.file, std::ios::binary);
    if (!file) return report(Error{ErrorCode::not_found, "cannot read " + flags.file, {}});
    const std::string xml{std::istreambuf_iterator<char>(file), {}};
    const auto variables = json_argument("--variables", flags.variables);
    if (!variables) return report(variables.error());
    Rehearsal rehearsal;
    const auto keys = rehearsal.deploy(xml);
    if (!keys) return report(keys.error());
    const auto id =
        rehearsal.start(key_to_start(flags, *keys), variables->value_or(boost::json::object{}));
    if (!id) return report(id.error());
    print_trace(rehearsal);
    if (!answer_all(rehearsal, *id, answers)) {
        print_error("holdfast: the answers have ended, and the process waits");
        return ExitCode::failed;
    }
    return print_end(rehearsal.read(*id));
}

ExitCode run_model(const RunFlags& flags) {
    if (!flags.answers) return play(flags, std::cin);
    std::ifstream answers(*flags.answers);
    if (!answers) return report(Error{ErrorCode::not_found, "cannot read " + *flags.answers, {}});
    return play(flags, answers);
}

}  // namespace

void add_run(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<RunFlags>();
    CLI::App* command = program.add_subcommand(
        "run", "Play a BPMN model through in memory; asks for what it waits for");
    command->add_option("file", flags->file, "BPMN 2.0 XML file")->required();
    command->add_option("--variables", flags->variables, "Variables: JSON, @FILE or -");
    command->add_option("--process", flags->process, "Id of the process to start");
    command->add_option("--answers", flags->answers,
                        "File with an answer in each line, instead of standard input");
    command->footer(
        "Answers: complete ELEMENT JSON, job ELEMENT JSON, job ELEMENT error CODE,\n"
        "send NAME JSON, signal NAME JSON, advance [15m], retry ELEMENT, set JSON.");
    command->callback([flags, &chosen] { chosen = [flags] { return run_model(*flags); }; });
}

}  // namespace holdfast::app
