#include "bpmn/model.h"

#include "bpmn/read/names.h"
#include "bpmn/read/process_reader.h"
#include "bpmn/rules/rules.h"
#include "bpmn/xml/read_xml.h"

namespace holdfast::bpmn {
namespace {

bool is_executable(Element process) { return process.flag("isExecutable"); }

// A process that is not executable is documentation, often incomplete.
void read_processes(Document& document, Model& model) {
    bool any = false;
    for (const Element& element : document.root().children()) {
        if (document.is_hopeless()) return;
        if (!element.is("process") && !is_global_task(element)) continue;
        if (element.is("process") && !is_executable(element)) {
            document.warn(ProblemKind::ignored, element, "the process is not executable");
            continue;
        }
        any = any || element.is("process");
        Process process;
        Reading reading(document, process);
        if (element.is("process")) {
            read_process(reading, element);
            check_process(reading, element);
        } else {
            read_global_task(reading, element);
        }
        model.processes.push_back(std::move(process));
    }
    if (!any)
        document.error(ProblemKind::no_executable_process, document.root(),
                       "no process has isExecutable=\"true\"");
}

}  // namespace

Compiled compile(std::string_view xml, const XmlLimits& limits) {
    Problems problems;
    const auto tree = read_xml(xml, limits, problems);
    if (!tree) return {.model = {}, .problems = problems.take()};
    Model model;
    if (tree->nodes.empty() || !Element(*tree, 0).is("definitions")) {
        problems.add({.kind = ProblemKind::not_bpmn,
                      .line = 1,
                      .element = {},
                      .message = "the root element is not `definitions` of BPMN 2.0"});
    } else {
        Document document(*tree, problems);
        check_document(document);
        read_processes(document, model);
        check_calls(document, model);
    }
    const bool refused = problems.any_error();
    Compiled compiled{.model = {}, .problems = problems.take()};
    if (!refused) compiled.model = std::move(model);
    return compiled;
}

}  // namespace holdfast::bpmn
