// suite feel: runs the cases of a folder and compares the failures with the known ones.
#include <boost/json.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "feel/evaluate.h"
#include "feel/temporal/temporal_text.h"
#include "feel/values/type.h"

namespace holdfast::feel {
namespace {

namespace bj = boost::json;

// A typed value of a case: plain JSON, or an object whose only key is its tag.
class TypedValues {
public:
    Value read(const bj::value& json) {
        if (json.is_null()) return Null{};
        if (json.is_bool()) return json.get_bool();
        if (json.is_string()) return Text(std::string_view(json.get_string()));
        if (json.is_array()) {
            std::vector<Value> items;
            for (const bj::value& item : json.get_array()) items.push_back(read(item));
            return List(std::move(items));
        }
        const auto& [tag, content] = *json.get_object().begin();
        return tagged(tag, content);
    }

private:
    Value tagged(std::string_view tag, const bj::value& content) {
        if (tag == "context") {
            std::vector<Entry> entries;
            for (const auto& member : content.get_object())
                entries.push_back({Text(member.key()), read(member.value())});
            return Context(std::move(entries));
        }
        const std::string_view text = content.get_string();
        if (tag == "number") return *Decimal::parse(text);
        if (tag == "date") return *parse_date(text);
        if (tag == "time") return *parse_time(text, zones_);
        if (tag == "datetime") return *parse_date_time(text, zones_);
        if (tag == "ymduration") return *parse_months(text);
        return *parse_seconds(text);
    }

    ZoneCache zones_;
};

bool agrees(const Value& expected, const Value& actual);

bool agree(const List& expected, const List& actual) {
    if (expected.size() != actual.size()) return false;
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (!agrees(expected[i], actual[i])) return false;
    return true;
}

bool agree(const Context& expected, const Context& actual) {
    if (expected.size() != actual.size()) return false;
    for (const Entry& entry : expected) {
        const Value* found = actual.find(entry.name.view());
        if (!found || !agrees(entry.value, *found)) return false;
    }
    return true;
}

// Some expected numbers are rounded doubles.
bool agree(const Decimal& expected, const Decimal& actual) {
    const auto distance = subtract(expected, actual);
    return distance && distance->absolute() <= *Decimal::parse("0.00000001");
}

bool agrees(const Value& expected, const Value& actual) {
    if (expected.kind() != actual.kind()) return false;
    return std::visit(
        [&]<class Form>(const Form& form) {
            const auto& other = *actual.get<Form>();
            if constexpr (requires { agree(form, other); }) {
                return agree(form, other);
            } else {
                return form == other;
            }
        },
        expected.form());
}

struct Case {
    const bj::object& json;
    ParseOptions options;
    Scope scope;
    Settings settings;

    std::string text(std::string_view name) const {
        return std::string(json.at(name).get_string());
    }
};

// Absent: a parse error.
std::optional<Evaluated> evaluated(const std::string& text, const Case& one) {
    const auto expression = parse(text, one.options);
    if (!expression) return std::nullopt;
    return evaluate(*expression, one.scope, one.settings);
}

void add_names(const Value& value, std::vector<std::string>& names) {
    if (const auto* list = value.get<List>())
        for (const Value& item : *list) add_names(item, names);
    if (const auto* context = value.get<Context>()) {
        for (const Entry& entry : *context) {
            names.emplace_back(entry.name.view());
            add_names(entry.value, names);
        }
    }
}

void define(Case& one, const std::string& name, const Value& value) {
    one.options.names.push_back(name);
    add_names(value, one.options.names);
    one.scope.set(name, value);
}

// The type is read by parsing a function that declares it.
Evaluated as_declared(const Evaluated& result, const Case& one) {
    const auto identity = parse("function(x: " + one.text("result_type") + ") x", one.options);
    if (!identity) return {};
    Scope scope;
    scope.set("identity", evaluate(*identity, Scope()).value);
    scope.set("value", result.value);
    Evaluated converted = evaluate(*parse("identity(value)"), scope);
    if (!converted.trouble) converted.trouble = result.trouble;
    return converted;
}

struct Verdict {
    bool passed = false;
    bool unexplained = false;  // an expected error for which no reason was recorded
};

Verdict judge(const bj::object& json) {
    Case one{json, {}, {}, {.now = Moment(std::chrono::hours(24 * 365 * 50))}};
    TypedValues typed;
    if (const auto* types = json.if_contains("types"))
        for (const auto& type : types->get_object())
            one.options.types.emplace(type.key(), std::string(type.value().get_string()));
    for (const auto& member : json.at("context").get_object())
        define(one, std::string(member.key()), typed.read(member.value()));
    if (const auto* lets = json.if_contains("let")) {
        for (const bj::value& let : lets->get_array()) {
            const auto result = evaluated(std::string(let.at("expression").get_string()), one);
            define(one, std::string(let.at("name").get_string()), result ? result->value : Value());
        }
    }
    auto actual = evaluated(one.text("expression"), one);
    if (actual && json.if_contains("result_type")) actual = as_declared(*actual, one);
    const bj::value& expected = json.at("expected");
    if (expected.is_object() && expected.get_object().contains("error"))
        return {.passed = !actual || actual->value.is_null(),
                .unexplained = actual && !actual->trouble};
    return {.passed = actual && agrees(typed.read(expected), actual->value)};
}

// `id reason` lines; # begins a comment.
std::map<std::string, std::string> known_failures(const std::string& file) {
    std::map<std::string, std::string> known;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t space = line.find(' ');
        known[line.substr(0, space)] = space == line.npos ? "" : line.substr(space + 1);
    }
    return known;
}

struct Tally {
    int passed = 0;
    int failed = 0;
};

int run(const std::string& folder, const std::string& known_file) {
    std::ifstream lines(folder + "/cases.jsonl");
    if (!lines) {
        std::cerr << "suite feel: no such file: " << folder << "/cases.jsonl\n";
        return 2;
    }
    const auto known = known_failures(known_file);
    std::map<std::string, Tally> groups;
    Tally all;
    int unexplained = 0;
    bool unexpected = false;
    for (std::string line; std::getline(lines, line);) {
        const bj::value json = bj::parse(line);
        const std::string id(json.at("id").get_string());
        const Verdict verdict = judge(json.get_object());
        const bool passed = verdict.passed;
        if (verdict.unexplained) std::cout << "no reason given: " << id << '\n';
        unexplained += verdict.unexplained ? 1 : 0;
        Tally& group = groups[id.substr(0, id.find('/'))];
        ++(passed ? group.passed : group.failed);
        ++(passed ? all.passed : all.failed);
        const auto expected = known.find(id);
        const bool is_known = expected != known.end();
        if (!passed)
            std::cout << (is_known ? "known  " : "FAILED ") << id
                      << (is_known ? ": " + expected->second : "") << '\n';
        if (passed && is_known)
            std::cout << "passes now, remove it from the known failures: " << id << '\n';
        unexpected = unexpected || (!passed && !is_known);
    }
    for (const auto& [name, tally] : groups)
        std::printf("%-44s %4d/%d\n", name.c_str(), tally.passed, tally.passed + tally.failed);
    std::printf("%d expected errors without a reason\n", unexplained);
    std::printf("%d passed, %d failed\n", all.passed, all.failed);
    return unexpected ? 1 : 0;
}

}  // namespace
}  // namespace holdfast::feel

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: suite_feel DIR KNOWN_FAILURES\n";
        return 2;
    }
    std::cout << std::unitbuf;
    return holdfast::feel::run(argv[1], argv[2]);
}
