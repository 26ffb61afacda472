// Hostile BPMN models, each in a process of its own: what the answer is, and what it costs.
//
//     campaign_hostile
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "base/log.h"
#include "node/rehearsal.h"

namespace holdfast {
namespace {

struct Model {
    const char* name;
    std::function<std::string()> xml;
    // The code of the incident; empty: the model is refused, or it only has to be read.
    std::string incident = {};
    bool refused = true;
};

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

std::string model(const std::string& elements, const std::string& beside = "") {
    return "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'"
           " xmlns:zeebe='http://camunda.org/schema/zeebe/1.0' targetNamespace='t'>"
           "<process id='p' isExecutable='true'>" +
           elements + "</process>" + beside + "</definitions>";
}
std::string flow(const std::string& id, const std::string& from, const std::string& to) {
    return "<sequenceFlow id='" + id + "' sourceRef='" + from + "' targetRef='" + to + "'/>";
}
std::string script(const std::string& expression) {
    return "<startEvent id='s'/><scriptTask id='t'><extensionElements><zeebe:script expression='=" +
           expression + "' resultVariable='x'/></extensionElements></scriptTask>" +
           flow("f", "s", "t");
}
std::string bomb() {
    std::string text = "<!DOCTYPE b [<!ENTITY e0 'x'>";
    for (int i = 1; i < 50; ++i)
        text += "<!ENTITY e" + std::to_string(i) + " '" +
                repeated("&e" + std::to_string(i - 1) + ";", 10) + "'>";
    return text + "]><b>&e49;</b>";
}
std::string chain(std::size_t length) {
    std::string text = "<startEvent id='t0'/>";
    for (std::size_t i = 1; i <= length; ++i) {
        const std::string id = std::to_string(i);
        text += "<task id='t" + id + "'/>" + flow("f" + id, "t" + std::to_string(i - 1), "t" + id);
    }
    return model(text);
}

// Refused, or read in time.
std::vector<Model> large_models() {
    return {
        {"11 MB", [] { return model(std::string(11 << 20, ' ')); }},
        {"a million elements", [] { return model(repeated("<a/>", 1'000'000)); }},
        {"10,000 levels",
         [] { return repeated("<subProcess>", 10'000) + repeated("</subProcess>", 10'000); }},
        {"an entity bomb", [] { return bomb(); }},
        {"a condition of 1 MB", [] { return model(script(repeated("1+", 500'000) + "1")); }},
        {"5,000 parentheses", [] { return model(script(repeated("(", 5'000))); }},
        {"a chain of 40,000 tasks", [] { return chain(40'000); }, "", false},
    };
}

// Stopped by an incident.
std::vector<Model> endless_models() {
    const std::string calls_q =
        "<startEvent id='s'/><callActivity id='c' calledElement='q'/>" + flow("f", "s", "c");
    return {
        {"a process that calls itself",
         [] {
             return model("<startEvent id='s'/><callActivity id='c' calledElement='p'/>" +
                          flow("f", "s", "c"));
         },
         "too_many_calls"},
        {"two processes that call each other",
         [=] {
             return model(calls_q,
                          "<process id='q' isExecutable='true'><startEvent id='qs'/>"
                          "<callActivity id='qc' calledElement='p'/>" +
                              flow("qf", "qs", "qc") + "</process>");
         },
         "too_many_calls"},
        {"a fork bomb",
         [] {
             return model(
                 "<startEvent id='s'/><exclusiveGateway id='m'/><parallelGateway id='f'/>" +
                 flow("1", "s", "m") + flow("2", "m", "f") + flow("3", "f", "m") +
                 flow("4", "f", "m"));
         },
         "too_many_tokens"},
        {"a loop without a wait",
         [] {
             return model("<startEvent id='s'/><exclusiveGateway id='m'/><task id='t'/>" +
                          flow("1", "s", "m") + flow("2", "m", "t") + flow("3", "t", "m"));
         },
         "too_many_moves"},
        {"a multi-instance of a million",
         [] {
             return model(
                 "<startEvent id='s'/><userTask id='t'><multiInstanceLoopCharacteristics>"
                 "<loopCardinality>=1000000</loopCardinality>"
                 "</multiInstanceLoopCharacteristics></userTask>" +
                 flow("f", "s", "t"));
         },
         "bad_loop"},
        {"an expression that never ends",
         [] {
             return model(script("for a in 1..100000, b in 1..100000, c in 1..100000 return a"));
         },
         "bad_expression"},
        {"a list that doubles",
         [] {
             return model(
                 script("count(for i in 1..1000000 return (for j in 1..1000000 return i))"));
         },
         "bad_expression"},
    };
}

// The code of the first incident; empty: none.
std::string incident_of(Rehearsal& rehearsal) {
    for (const Instance& instance : rehearsal.instances())
        if (instance.incident) return instance.last_error.value_or("");
    return "";
}

// Exit code 0: the answer is the one that is wanted.
int play(const Model& model) {
    Rehearsal rehearsal;
    const auto keys = rehearsal.deploy(model.xml());
    if (!keys) {
        const std::string& message = keys.error().message;
        std::printf("  refused: %s",
                    message.substr(0, std::min<std::size_t>(80, message.find('\n'))).c_str());
        return model.refused && model.incident.empty() ? 0 : 1;
    }
    if (model.incident.empty()) {
        std::printf("  accepted");
        return model.refused ? 1 : 0;
    }
    (void)rehearsal.start("p", boost::json::object{});
    const std::string code = incident_of(rehearsal);
    std::printf("  incident %s", code.c_str());
    return code == model.incident ? 0 : 1;
}

bool run(const Model& model) {
    std::printf("%-36s", model.name);
    std::fflush(stdout);
    const pid_t pid = ::fork();
    if (pid == 0) {
        const int code = play(model);
        std::fflush(stdout);
        ::_exit(code);
    }
    int status = 0;
    rusage usage{};
    ::wait4(pid, &status, 0, &usage);
    const double seconds =
        static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
        static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    const bool right = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    std::printf("; %.0f ms of processor time, %ld MiB%s\n", seconds * 1'000,
                usage.ru_maxrss / 1'024, right ? "" : "  WRONG");
    return right;
}

}  // namespace
}  // namespace holdfast

int main() {
    using namespace holdfast;
    log::set_level(log::Level::off);
    int failed = 0;
    std::vector<Model> all = large_models();
    for (Model& model : endless_models()) all.push_back(std::move(model));
    for (const Model& model : all) failed += run(model) ? 0 : 1;
    std::printf("%zu passed, %d failed\n", all.size() - static_cast<std::size_t>(failed), failed);
    return failed == 0 ? 0 : 1;
}
