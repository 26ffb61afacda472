// Who does the work of a task: job types, assignments, headers, by the extensions of vendors.
#include "bpmn/read/node_readers.h"

namespace holdfast::bpmn {
namespace {

std::map<std::string, std::string> job_headers(Element element) {
    std::map<std::string, std::string> headers;
    if (const auto zeebe = extension_of(element, Space::zeebe, "taskHeaders"))
        for (const Element& header : zeebe->children())
            headers.emplace(header.text_of("key"), header.text_of("value"));
    // Camunda 7's fields of a delegate.
    for (const Element& field : extensions_of(element)) {
        if (!field.is_extension(Space::camunda, "field")) continue;
        std::string value = field.text_of("stringValue");
        for (const Element& child : field.children())
            if (value.empty()) value = child.text();
        headers.emplace(field.text_of("name"), std::move(value));
    }
    return headers;
}

// What Camunda 7 calls an implementation is opaque here: workers know what it means.
std::optional<std::string> camunda_job_type(Element element) {
    for (const std::string_view name : {"topic", "class", "delegateExpression", "expression"})
        if (const auto text = element.attribute(Space::camunda, name)) return std::string(*text);
    return std::nullopt;
}

std::string retry_cycle_of(Element element) {
    const auto cycle = extension_of(element, Space::camunda, "failedJobRetryTimeCycle");
    return cycle ? std::string(cycle->text()) : std::string();
}

// Splits at commas outside of `${...}`.
std::vector<std::string> listed_names(std::string_view text) {
    std::vector<std::string> names;
    std::string name;
    int braces = 0;
    const auto end_name = [&] {
        if (!trimmed(name).empty()) names.emplace_back(trimmed(name));
        name.clear();
    };
    for (const char c : text) {
        if (c == '{') ++braces;
        if (c == '}' && braces > 0) --braces;
        if (c == ',' && braces == 0)
            end_name();
        else
            name += c;
    }
    end_name();
    return names;
}

class AssignmentReader {
public:
    AssignmentReader(Reading& reading, Element element) : reading_(reading), element_(element) {}

    Assignment read() {
        read_zeebe();
        read_camunda();
        // The name may be an expression, in Camunda 7's language only.
        if (const auto name = element_.attribute("name");
            name && (name->find("${") != name->npos || name->find("#{") != name->npos))
            set(assignment_.name, element_, name, "name");
        for (const Element& child : element_.children()) {
            if (child.is("humanPerformer")) read_performer(child);
            if (child.is("potentialOwner")) read_owners(child);
        }
        return std::move(assignment_);
    }

private:
    void read_zeebe() {
        if (const auto given = extension_of(element_, Space::zeebe, "assignmentDefinition")) {
            set(assignment_.assignee, *given, given->attribute("assignee"), "assignee");
            candidates(*given, given->attribute("candidateUsers"), assignment_.candidate_users,
                       assignment_.user_list);
            candidates(*given, given->attribute("candidateGroups"), assignment_.candidate_groups,
                       assignment_.group_list);
        }
        if (const auto given = extension_of(element_, Space::zeebe, "taskSchedule")) {
            set(assignment_.due_date, *given, given->attribute("dueDate"), "dueDate");
            set(assignment_.follow_up_date, *given, given->attribute("followUpDate"),
                "followUpDate");
        }
        if (const auto given = extension_of(element_, Space::zeebe, "priorityDefinition"))
            set(assignment_.priority, *given, given->attribute("priority"), "priority");
        if (const auto given = extension_of(element_, Space::zeebe, "formDefinition"))
            for (const std::string_view name : {"formId", "formKey", "externalReference"})
                set_form(*given, given->attribute(name));
    }

    void read_camunda() {
        const auto given = [&](std::string_view name) {
            return element_.attribute(Space::camunda, name);
        };
        set(assignment_.assignee, element_, given("assignee"), "assignee");
        candidates(element_, given("candidateUsers"), assignment_.candidate_users,
                   assignment_.user_list);
        candidates(element_, given("candidateGroups"), assignment_.candidate_groups,
                   assignment_.group_list);
        set(assignment_.due_date, element_, given("dueDate"), "dueDate");
        set(assignment_.follow_up_date, element_, given("followUpDate"), "followUpDate");
        set(assignment_.priority, element_, given("priority"), "priority");
        for (const std::string_view name : {"formKey", "formRef"}) set_form(element_, given(name));
    }

    // The first of several names for it counts.
    void set_form(Element owner, std::optional<std::string_view> text) {
        if (text && !text->empty() && !assignment_.form)
            assignment_.form = reading_.text_in(owner, *text, "form");
    }

    void set(std::optional<TextOrExpression>& member, Element owner,
             std::optional<std::string_view> text, std::string_view what) {
        if (!text) return;
        if (member)
            reading_.document.error(ProblemKind::resource, owner,
                                    std::string(what) + " is given twice");
        member = reading_.text_in(owner, *text, what);
    }

    // `= list` gives a list of names; otherwise names and expressions, with commas between them.
    void candidates(Element owner, std::optional<std::string_view> text,
                    std::vector<TextOrExpression>& names, std::optional<feel::Expression>& list) {
        if (!text) return;
        if (trimmed(*text).starts_with('=')) {
            list = reading_.expression_in(owner, *text, "candidates");
            return;
        }
        for (const std::string& name : listed_names(*text))
            if (auto compiled = reading_.text_in(owner, name, "candidates"))
                names.push_back(*std::move(compiled));
    }

    static std::optional<Element> formal_expression(Element resource) {
        const auto assigned = resource.child("resourceAssignmentExpression");
        return assigned ? assigned->child("formalExpression") : std::nullopt;
    }

    void read_performer(Element resource) {
        const auto holder = formal_expression(resource);
        if (holder) set(assignment_.assignee, *holder, holder->text(), "assignee");
    }

    // user(a), group(b), c: without a mark it is a group.
    void read_owners(Element resource) {
        const auto holder = formal_expression(resource);
        if (!holder) return;
        for (const std::string& given : listed_names(holder->text())) {
            std::string_view name = given;
            auto* names = &assignment_.candidate_groups;
            for (const std::string_view mark : {"user(", "group("}) {
                if (!name.starts_with(mark) || !name.ends_with(')')) continue;
                if (mark == "user(") names = &assignment_.candidate_users;
                name = trimmed(name.substr(mark.size(), name.size() - mark.size() - 1));
                break;
            }
            if (auto compiled = reading_.text_in(*holder, name, "potentialOwner"))
                names->push_back(*std::move(compiled));
        }
    }

    Reading& reading_;
    Element element_;
    Assignment assignment_;
};

}  // namespace

std::optional<Job> read_job(Reading& reading, Element element) {
    if (const auto zeebe = extension_of(element, Space::zeebe, "taskDefinition")) {
        if (zeebe->text_of("type").empty())
            reading.document.error(ProblemKind::extension, *zeebe, "taskDefinition needs a type");
        return Job{.type = reading.text_or_fixed(*zeebe, zeebe->text_of("type"), "the job type"),
                   .retries = reading.text_or_fixed(*zeebe, zeebe->text_of("retries"), "retries"),
                   .retry_cycle = {},
                   .headers = job_headers(element)};
    }
    const auto type = camunda_job_type(element);
    if (!type && element.attribute(Space::camunda, "type") == "external")
        reading.document.error(ProblemKind::extension, element, "an external task needs a topic");
    if (!type) return std::nullopt;
    if (trimmed(*type).empty())
        reading.document.error(ProblemKind::extension, element, "the job type is empty");
    return Job{.type = *type,
               .retries = {},
               .retry_cycle = retry_cycle_of(element),
               .headers = job_headers(element)};
}

Assignment read_assignment(Reading& reading, Element element) {
    return AssignmentReader(reading, element).read();
}

std::map<std::string, std::string> read_properties(Element element) {
    std::map<std::string, std::string> properties;
    for (const Space space : {Space::zeebe, Space::camunda})
        if (const auto given = extension_of(element, space, "properties"))
            for (const Element& property : given->children())
                properties.emplace(property.text_of("name"), property.text_of("value"));
    return properties;
}

}  // namespace holdfast::bpmn
