#include "engine/walks/walk.h"

#include <boost/json.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <regex>

#include "base/json/canonical.h"
#include "engine/process_state.h"
#include "engine/walks/interpreter.h"
#include "engine/walks/random_model.h"
#include "model/codec/codec.h"
#include "node/rehearsal_script.h"

namespace holdfast::walks {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_steps = 14;

std::string json_of(const Interpreter::Variables& values) {
    bj::object object;
    for (const auto& [name, value] : values) object[name] = value;
    return json::canonical(object);
}

// One thing that happens, as a line of a scenario and for the interpreter.
struct Step {
    std::string line;
    std::function<void(Interpreter&)> act;
};

class Chooser {
public:
    Chooser(const Graph& graph, sim::Random& random) : graph_(graph), random_(random) {}

    // All of them: a condition without its variable is an incident.
    Interpreter::Variables all_variables() {
        Interpreter::Variables values;
        for (std::size_t n = 0; n < conditions; ++n) values[condition_name(n)] = random_.chance(50);
        return values;
    }
    Interpreter::Variables variables() {
        Interpreter::Variables values = all_variables();
        std::erase_if(values, [&](const auto&) { return random_.chance(60); });
        return values;
    }
    std::optional<Step> next(const Interpreter& interpreter) {
        std::vector<const Token*> waiting;
        for (const Token& token : interpreter.tokens())
            if (interpreter.waits(token) && !interpreter.is_ambiguous(token))
                waiting.push_back(&token);
        if (waiting.empty()) return std::nullopt;
        if (random_.chance(8)) return set();
        return step_for(*random_.pick(waiting));
    }

private:
    Step set() {
        const auto values = variables();
        return {"set " + json_of(values), [values](Interpreter& it) { it.set(values); }};
    }
    Step step_for(const Token& token) {
        const Element& element = graph_[token.element];
        const Index index = token.element;
        // What starts an event sub-process is a variable inside of it alone: see the tests of
        // those.
        const auto values = element.kind == Kind::start ? Interpreter::Variables{} : variables();
        if (token.role == Role::stuck)
            return {"retry " + element.id, [index](Interpreter& it) { it.retry(index); }};
        if (element.trigger == Trigger::timer && token.due > 0)
            return {"advance", [](Interpreter& it) { (void)it.advance(); }};
        if (element.trigger == Trigger::timer) return set();
        if (element.trigger == Trigger::message)
            return {"send " + element.name + " " + json_of(values),
                    [name = element.name, values](Interpreter& it) { it.send(name, values); }};
        if (element.trigger == Trigger::signal)
            return {"signal " + element.name,
                    [name = element.name](Interpreter& it) { it.broadcast(name); }};
        if (element.kind == Kind::user)
            return {"complete " + element.id + " " + json_of(values),
                    [index, values](Interpreter& it) { it.complete(index, values); }};
        return job(element, index, values);
    }
    Step job(const Element& element, Index index, const Interpreter::Variables& values) {
        const std::string line = "job " + element.id + " ";
        if (random_.chance(15))
            return {line + "fail boom", [index](Interpreter& it) { it.fail(index); }};
        if (random_.chance(25)) {
            const std::string code = random_.chance(50) ? "E1" : "E2";
            return {line + "error " + code,
                    [index, code](Interpreter& it) { it.throw_error(index, code); }};
        }
        return {line + json_of(values),
                [index, values](Interpreter& it) { it.complete(index, values); }};
    }

    const Graph& graph_;
    sim::Random& random_;
};

constexpr const char* role_names[] = {"work", "arrived", "listener", "loop", "stuck"};

std::string shown(const Graph& graph, const Interpreter& interpreter) {
    std::multiset<std::string> tokens;
    for (const Token& token : interpreter.tokens())
        tokens.insert(graph[token.element].id + ":" +
                      role_names[static_cast<std::size_t>(token.role)]);
    bj::object variables;
    for (const auto& [name, value] : interpreter.variables())
        variables[name] = name.starts_with('c') ? bj::value(value) : bj::value(1);
    std::string text = interpreter.has_ended() ? "ended" : "open";
    for (const std::string& token : tokens) text += " " + token;
    return text + " " + json::canonical(variables);
}

std::string shown(const Instance& instance) {
    std::map<std::string, std::string> roles;
    for (const VariableScope& row : instance.children.variables) {
        const bj::value content = row.variables.value();
        if (const bj::value* role = content.as_object().if_contains("role"))
            roles[to_string(row.id)] = role->as_string();
    }
    std::multiset<std::string> tokens;
    for (const Activity& activity : instance.children.active) {
        const auto role = roles.find(to_string(activity.id));
        tokens.insert(activity.activity + ":" + (role == roles.end() ? "work" : role->second));
    }
    std::string text = is_open(instance.status) ? "open" : "ended";
    for (const std::string& token : tokens) text += " " + token;
    return text + " " + json::canonical(engine::variables_of(instance.state));
}

// Everything that is stored about an instance; its ids are numbered in order of appearance.
std::string everything(const Instance& instance) {
    bj::object all = to_json(instance);
    all["children"] = to_json(instance.children);
    bj::array waits;
    for (const Waiting& waiting : instance.waits) waits.emplace_back(waiting_text(waiting));
    all["waits"] = std::move(waits);
    const std::string text = json::canonical(all);
    static const std::regex id("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    std::map<std::string, std::size_t> numbers;
    std::string numbered;
    std::size_t last = 0;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), id); at != std::sregex_iterator();
         ++at) {
        const auto start = static_cast<std::size_t>(at->position());
        const std::size_t number = numbers.emplace(at->str(), numbers.size()).first->second;
        numbered += text.substr(last, start - last) + "#" + std::to_string(number);
        last = start + static_cast<std::size_t>(at->length());
    }
    return numbered + text.substr(last);
}

// What the codec makes of an instance is the same instance.
std::string check_codec(const Instance& instance) {
    const auto children = children_from_json(to_json(instance.children));
    if (!children || *children != instance.children) return "the codec changes the rows below it";
    const auto read = instance_from_json(to_json(instance));
    if (!read) return "the codec cannot read it: " + read.error().message;
    if (to_json(*read) != to_json(instance)) return "the codec changes it";
    return "";
}

class Walk {
public:
    Walk(std::uint64_t seed, const std::string& folder)
        // Neighbouring seeds give the same numbers, one later.
        : random_(sim::Random(seed).next()),
          graph_(random_model(random_)),
          chooser_(graph_, random_) {
        if (!folder.empty()) reloaded_.emplace("sqlite:" + folder + "/walk.db");
    }

    Walked go(Covered* covered) {
        Walked walked;
        const std::string xml = xml_of(graph_);
        Interpreter::Variables variables = chooser_.all_variables();
        walked.finding = start(xml, variables);
        Interpreter interpreter(graph_, variables);
        if (walked.finding.empty() && !interpreter.is_endless())
            walked.finding = compare(interpreter);
        std::string lines = "start p " + json_of(variables) + "\n";
        while (walked.finding.empty() && walked.steps < most_steps && !interpreter.is_endless()) {
            note(interpreter, covered);
            const auto step = chooser_.next(interpreter);
            if (!step) break;
            lines += step->line + "\n";
            if (covered) covered->happened.insert(step->line.substr(0, step->line.find(' ')));
            ++walked.steps;
            walked.finding = perform_on_both(step->line);
            step->act(interpreter);
            if (walked.finding.empty() && !interpreter.is_endless())
                walked.finding = compare(interpreter);
            walked.ended = interpreter.has_ended();
        }
        walked.endless = interpreter.is_endless();
        if (!walked.finding.empty()) walked.finding += "\n" + lines + xml;
        return walked;
    }

private:
    std::string start(const std::string& xml, const Interpreter::Variables& variables) {
        bj::object values;
        for (const auto& [name, value] : variables) values[name] = value;
        const auto start_on = [&](Rehearsal& rehearsal) -> std::string {
            if (const auto keys = rehearsal.deploy(xml); !keys) return keys.error().message;
            if (const auto id = rehearsal.start("p", values); !id) return id.error().message;
            rehearsal.reopen();
            return "";
        };
        std::string finding = start_on(kept_);
        if (finding.empty() && reloaded_) finding = start_on(*reloaded_);
        return finding;
    }
    std::string perform_on_both(const std::string& line) {
        const auto kept = perform(kept_, line);
        if (!kept) return line + ": " + kept.error().message;
        if (!reloaded_) return "";
        const auto reloaded = perform(*reloaded_, line);
        if (!reloaded) return line + ", reloaded: " + reloaded.error().message;
        reloaded_->reopen();
        return "";
    }
    std::string compare(const Interpreter& interpreter) {
        const Instance instance = kept_.read(*kept_.last());
        const std::string wanted = shown(graph_, interpreter);
        const std::string found = shown(instance);
        if (found != wanted) return "the interpreter: " + wanted + "\nthe engine:      " + found;
        if (std::string codec = check_codec(instance); !codec.empty()) return codec;
        if (!reloaded_) return "";
        const std::string kept = everything(instance);
        const std::string reloaded = everything(reloaded_->read(*reloaded_->last()));
        return kept == reloaded ? "" : "kept:     " + kept + "\nreloaded: " + reloaded;
    }
    void note(const Interpreter& interpreter, Covered* covered) {
        if (!covered) return;
        for (const Token& token : interpreter.tokens())
            covered->kinds.insert(graph_[token.element].kind);
    }

    sim::Random random_;
    const Graph graph_;
    Chooser chooser_;
    Rehearsal kept_;
    std::optional<Rehearsal> reloaded_;
};

// An empty store with the newest schema is copied: to migrate takes longer than a walk.
void place_empty_store(const std::string& folder) {
    namespace fs = std::filesystem;
    if (!fs::exists(folder + "/empty.db")) Rehearsal("sqlite:" + folder + "/empty.db");
    for (const char* file : {"/walk.db", "/walk.db-wal", "/walk.db-shm"}) fs::remove(folder + file);
    fs::copy_file(folder + "/empty.db", folder + "/walk.db");
}

}  // namespace

Walked walk(std::uint64_t seed, const std::string& reload_folder, Covered* covered) {
    if (!reload_folder.empty()) place_empty_store(reload_folder);
    return Walk(seed, reload_folder).go(covered);
}

}  // namespace holdfast::walks
