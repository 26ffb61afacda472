// Inputs and outputs of tasks and calls agree with the operations, messages and processes that they
// name. For strict documents, like the rules of items.
#include "bpmn/read/names.h"
#include "bpmn/rules/items.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

// The parts of an ioSpecification; all empty if there is none.
struct Specification {
    std::vector<Element> inputs;
    std::vector<Element> outputs;
    std::size_t input_sets = 0;
    std::size_t output_sets = 0;
};

Specification specification_of(Element owner) {
    const auto given = owner.child("ioSpecification");
    if (!given) return {};
    return {.inputs = given->children("dataInput"),
            .outputs = given->children("dataOutput"),
            .input_sets = given->children("inputSet").size(),
            .output_sets = given->children("outputSet").size()};
}

class OperationRules {
public:
    explicit OperationRules(Document& document) : document_(document) {}

    void check(Element element) {
        if (element.is("serviceTask")) check_service(element);
        if (element.is("sendTask")) check_send(element);
        if (element.is("receiveTask")) check_receive(element);
        if (element.is("callActivity")) check_call(element);
        if (element.is("process") || is_global_task(element)) check_exposed(element);
        if (element.is("ioBinding")) check_binding(element);
    }

private:
    void refuse(Element element, std::string message) {
        document_.error(ProblemKind::item, element, std::move(message));
    }

    std::optional<Element> message_item(const std::optional<Element>& operation,
                                        std::string_view name) const {
        const auto holder = operation ? operation->child(name) : std::nullopt;
        return holder ? item_of(document_, document_.find(holder->text())) : std::nullopt;
    }

    void check_same(Element owner, const std::vector<Element>& items,
                    const std::optional<Element>& wanted, std::string_view what) {
        for (const Element& item : items)
            if (wanted && !same_item(item_of(document_, item), wanted))
                refuse(owner, item.id() + " has another item definition than " + std::string(what));
    }

    void check_service(Element task) {
        const auto operation = document_.find(task.text_of("operationRef"));
        if (!operation || !operation->is("operation")) return;
        const Specification given = specification_of(task);
        if (given.input_sets != 1)
            refuse(task, "a service task with an operation has exactly one input set");
        if (given.output_sets > 1)
            refuse(task, "a service task with an operation has at most one output set");
        check_same(task, given.inputs, message_item(operation, "inMessageRef"), "the inMessage");
        check_same(task, given.outputs, message_item(operation, "outMessageRef"), "the outMessage");
    }

    void check_send(Element task) {
        const auto message = document_.find(task.text_of("messageRef"));
        if (!message || !message->is("message")) return;
        const Specification given = specification_of(task);
        if (given.input_sets > 1 || given.inputs.size() > 1)
            refuse(task, "a send task has at most one input set and one data input");
        check_same(task, given.inputs, item_of(document_, message), "the message");
    }

    void check_receive(Element task) {
        const auto message = document_.find(task.text_of("messageRef"));
        if (!message || !message->is("message")) return;
        const Specification given = specification_of(task);
        if (given.output_sets > 1 || given.outputs.size() > 1)
            refuse(task, "a receive task has at most one output set and one data output");
        check_same(task, given.outputs, item_of(document_, message), "the message");
    }

    void check_call(Element call) {
        const auto called = document_.find(call.text_of("calledElement"));
        if (!called || !(called->is("process") || is_global_task(*called))) return;
        const Specification own = specification_of(call);
        const Specification theirs = specification_of(*called);
        check_matching(call, own.inputs, theirs.inputs, "inputs");
        check_matching(call, own.outputs, theirs.outputs, "outputs");
    }

    void check_matching(Element call, const std::vector<Element>& own,
                        const std::vector<Element>& theirs, std::string_view what) {
        if (own.size() != theirs.size())
            return refuse(call, "it has other " + std::string(what) + " than what it calls");
        for (std::size_t i = 0; i < own.size(); ++i) {
            const auto here = item_of(document_, own[i]);
            const auto there = item_of(document_, theirs[i]);
            if (here && there && !same_item(here, there))
                refuse(call, own[i].id() + " has another item definition than " + theirs[i].id());
        }
    }

    void check_exposed(Element callable) {
        if (callable.child("supportedInterfaceRef") && !callable.child("ioBinding"))
            refuse(callable, "it is exposed as a service, so it needs an ioBinding");
    }

    // A set stands for the first of its items.
    std::optional<Element> bound(std::string_view reference, std::string_view list) const {
        auto found = document_.find(reference);
        if (found && (found->is("inputSet") || found->is("outputSet"))) {
            const auto first = found->child(list);
            found = first ? document_.find(first->text()) : std::nullopt;
        }
        return found;
    }

    void check_binding(Element binding) {
        const auto operation = document_.find(binding.text_of("operationRef"));
        const auto check_end = [&](std::string_view end, std::string_view list,
                                   std::string_view message) {
            const auto item = bound(binding.text_of(end), list);
            const auto wanted = message_item(operation, message);
            if (item && wanted && !same_item(item_of(document_, item), wanted))
                refuse(binding, std::string(end) + " has another item definition than " +
                                    std::string(message));
        };
        check_end("inputDataRef", "dataInputRefs", "inMessageRef");
        check_end("outputDataRef", "dataOutputRefs", "outMessageRef");
    }

    Document& document_;
};

}  // namespace

void check_operations(Document& document) {
    if (!document.is_strict()) return;
    OperationRules rules(document);
    for (std::uint32_t i = 0; i < document.size(); ++i) rules.check(document.at(i));
}

}  // namespace holdfast::bpmn
