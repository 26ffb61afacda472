// suite bpmn: plays the cases of a folder, checks that its invalid models are refused, and compares
// the failures with the known ones.
#include "suite/bpmn_stage.h"

namespace holdfast::suite {
namespace {

namespace bj = boost::json;

std::string joined(const std::multiset<std::string>& trace) {
    std::string text;
    for (const std::string& entry : trace) text += (text.empty() ? "" : " ") + entry;
    return "[" + text + "]";
}

// False: refused.
bool play(BpmnStage& stage, const bj::object& json, const std::string& folder) {
    for (const bj::value& step : json.at("steps").as_array()) {
        const auto& what = step.at("do").as_string();
        if (what == "deploy" &&
            !stage.deploy(content_of(folder + "/" + std::string(json.at("file").as_string()))))
            return false;
        if (what == "start" &&
            !stage.start(std::string(step.at("process").as_string()), step.at("variables")))
            return false;
        if (what == "wait")
            stage.pass(std::chrono::milliseconds(step.at("ms").to_number<std::int64_t>()));
    }
    return true;
}

// Empty: passed.
std::string judge(const bj::object& json, const Arguments& arguments) {
    BpmnStage stage(arguments.manner);
    std::multiset<std::string> expected;
    for (const bj::value& entry : json.at("expected_trace").as_array())
        expected.emplace(entry.as_string());
    const bool refused = !play(stage, json, arguments.folder);
    std::multiset<std::string> trace = stage.trace();
    if (expected == std::multiset<std::string>{"ERROR"})
        return refused || trace.contains("ERROR_runtime") ? "" : "no error: " + joined(trace);
    if (refused) return "refused: " + stage.why_refused;
    const bj::value* ends = json.if_contains("ends");
    const bool stays = ends && ends->is_bool() && !ends->as_bool();
    if (trace != expected) return joined(trace) + " instead of " + joined(expected);
    if (stage.any_open() != stays) return stays ? "ended" : "has not ended";
    return "";
}

// Empty: refused, as it should be.
std::string judge_invalid(const bj::object& json, const Arguments& arguments) {
    BpmnStage stage(arguments.manner);
    const std::string file(json.at("file").as_string());
    return stage.deploy(content_of(arguments.folder + "/" + file)) ? "accepted" : "";
}

template <class Judge>
int run(const Arguments& arguments, const std::string& file, const char* what, Judge judge) {
    std::ifstream lines(arguments.folder + "/" + file);
    Verdicts verdicts(arguments.known_failures);
    for (std::string line; std::getline(lines, line);) {
        const bj::value json = bj::parse(line);
        verdicts.add(std::string(json.at("id").as_string()), judge(json.as_object(), arguments));
    }
    return verdicts.end(what);
}

// The last line counts the executions; invalid models are optional in a folder.
int run_all(const Arguments& arguments) {
    if (!std::ifstream(arguments.folder + "/cases.jsonl")) {
        std::cerr << "suite bpmn: no such file: " << arguments.folder << "/cases.jsonl\n";
        return 2;
    }
    int result = 0;
    if (std::ifstream(arguments.folder + "/invalid.jsonl"))
        result = run(arguments, "invalid.jsonl", "invalid models: ", judge_invalid);
    return std::max(result, run(arguments, "cases.jsonl", "", judge));
}

}  // namespace
}  // namespace holdfast::suite

int main(int argc, char** argv) {
    const auto arguments = holdfast::suite::read_arguments(argc, argv);
    if (!arguments.valid) {
        std::cerr << "usage: suite_bpmn DIR KNOWN_FAILURES [--reload | --kill] [--twice]\n";
        return 2;
    }
    std::cout << std::unitbuf;
    return holdfast::suite::run_all(arguments);
}
