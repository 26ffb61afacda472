// suite operaton: plays the step cases of a folder and compares the failures with the known ones.
#include <algorithm>

#include "base/json/canonical.h"
#include "suite/operaton_stage.h"

namespace holdfast::suite {
namespace {

std::string text(const bj::object& step, const char* name, const std::string& otherwise = "") {
    const bj::value* value = step.if_contains(name);
    return value && value->is_string() ? std::string(value->as_string()) : otherwise;
}

class Play {
public:
    Play(const std::string& folder, Manner manner) : stage_(folder, manner) {}

    void deploy(const bj::array& files) {
        std::vector<std::string> names;
        for (const bj::value& file : files) names.emplace_back(file.as_string());
        stage_.deploy(names);
    }

    void steps(const bj::array& steps) {
        for (const bj::value& step : steps) {
            const bj::object& one = step.as_object();
            if (!one.contains("error")) {
                this->step(one);
                continue;
            }
            bool refused = false;
            try {
                this->step(one);
            } catch (const Failure&) {
                refused = true;
            }
            if (!refused) throw Failure("not refused: " + bj::serialize(one));
        }
    }

private:
    // What a value of a step means: itself, or what it refers to.
    bj::value resolve(const bj::value& value) {
        const bj::object* object = value.if_object();
        const bj::value* ref = object ? object->if_contains("ref") : nullptr;
        if (!ref) return value;
        bj::value found = results_.at(std::string(ref->as_string()));
        if (const bj::value* index = object->if_contains("index")) {
            const auto at = index->to_number<std::size_t>();
            if (at >= found.as_array().size()) throw Failure("no row " + std::to_string(at));
            bj::value row = found.as_array()[at];
            found = std::move(row);
        }
        const bj::value* field = object->if_contains("field");
        if (!field) return found;
        if (!found.is_object()) throw Failure("there is no row: " + bj::serialize(value));
        const bj::value* member = found.as_object().if_contains(field->as_string());
        return member ? *member : bj::value(nullptr);
    }
    // A row stands for its id.
    static bj::value id_of(const bj::value& value) {
        return value.is_object() && value.as_object().contains("id") ? value.at("id") : value;
    }
    bj::value argument(const bj::object& step, const char* name) {
        const bj::value* value = step.if_contains(name);
        return value ? id_of(resolve(*value)) : bj::value(nullptr);
    }
    std::string id(const bj::object& step, const char* name) {
        const bj::value value = argument(step, name);
        if (!value.is_string())
            throw Failure(std::string("no ") + name + ": " + bj::serialize(step));
        return std::string(value.as_string());
    }
    static bj::object object(const bj::object& step, const char* name) {
        const bj::value* value = step.if_contains(name);
        return value ? value->as_object() : bj::object{};
    }

    void step(const bj::object& step) {
        if (step.contains("expect")) return expect(step);
        if (step.contains("expect_ended")) {
            if (!stage_.has_ended(id(step, "expect_ended"))) throw Failure("has not ended");
            return;
        }
        if (step.contains("expect_not_ended")) {
            if (stage_.has_ended(id(step, "expect_not_ended"))) throw Failure("has ended");
            return;
        }
        if (const auto result = act(step); step.contains("as")) results_[text(step, "as")] = result;
    }

    bj::value act(const bj::object& step) {
        const std::string what = text(step, "do");
        if (what == "query") return query(step);
        if (what == "start")
            return stage_.start(text(step, "process"), object(step, "variables"),
                                text(step, "business_key"));
        if (what == "start_by_message") return stage_.start_by_message(id(step, "message"));
        if (what == "get_variable")
            return stage_.get_variable(id(step, "scope"), text(step, "name"));
        if (what == "set_variable")
            stage_.set_variable(id(step, "scope"), text(step, "name"), step.at("value"));
        else if (what == "deploy")
            deploy(step.at("files").as_array());
        else if (what == "complete_task")
            stage_.complete_task(id(step, "task"), object(step, "variables"));
        else if (what == "claim_task")
            stage_.claim_task(id(step, "task"), text(step, "user"));
        else if (what == "for_each")
            for_each(step);
        else
            send(step, what);
        return nullptr;
    }

    void send(const bj::object& step, const std::string& what) {
        if (what == "correlate_message")
            stage_.correlate(id(step, "message"), text(step, "business_key"));
        else if (what == "deliver_message")
            stage_.deliver(id(step, "message"), id(step, "to"));
        else if (what == "broadcast_signal")
            stage_.broadcast(id(step, "signal"));
        else if (what == "deliver_signal")
            stage_.deliver(id(step, "signal"), id(step, "to"));
        else if (what == "trigger")
            stage_.trigger(id(step, "to"));
        else if (what == "fire_timer")
            stage_.fire_timer(id(step, "timer"));
        else if (what == "set_clock")
            stage_.set_clock(std::chrono::milliseconds(step.at("ms").to_number<std::int64_t>()));
        else if (what == "run_due_timers")
            stage_.run_due_timers();
        else if (what == "delete_instance")
            stage_.delete_instance(id(step, "instance"));
        else if (what == "add_member")
            stage_.add_member(text(step, "user"), text(step, "group"));
        else
            throw Failure("unknown step: " + what);
    }

    void for_each(const bj::object& step) {
        const bj::value rows = resolve(step.at("in"));
        for (const bj::value& row : rows.as_array()) {
            results_[text(step, "as")] = row;
            steps(step.at("steps").as_array());
        }
    }

    bj::value query(const bj::object& step) {
        bj::array found;
        for (bj::value& row : stage_.rows(text(step, "kind"))) {
            bool fits = true;
            for (const auto& condition : object(step, "where"))
                fits = fits && stage_.matches(row.as_object(), std::string(condition.key()),
                                              id_of(resolve(condition.value())));
            if (fits) found.push_back(std::move(row));
        }
        if (const bj::value* order = step.if_contains("order"))
            for (const bj::value& by : order->as_array()) sort(found, by.as_array());
        const std::string mode = text(step, "mode");
        if (mode == "count") return found.size();
        if (mode == "list") return found;
        if (found.size() > 1) throw Failure("more than one row: " + bj::serialize(step));
        return found.empty() ? bj::value(nullptr) : found.front();
    }

    static void sort(bj::array& rows, const bj::array& by) {
        const std::string field(by.at(0).as_string());
        const auto key = [&](const bj::value& row) { return bj::serialize(row.at(field)); };
        std::ranges::stable_sort(rows, {}, key);
        if (by.at(1) == "desc") std::ranges::reverse(rows);
    }

    void expect(const bj::object& step) {
        const bj::value actual = resolve(step.at("expect"));
        const auto fail = [&] {
            throw Failure("got " + bj::serialize(actual) + ", expected " + bj::serialize(step));
        };
        const auto same = [&](const bj::value& wanted) {
            return json::canonical(id_of(actual)) == json::canonical(id_of(resolve(wanted)));
        };
        if (const bj::value* wanted = step.if_contains("equals"); wanted && !same(*wanted)) fail();
        if (const bj::value* other = step.if_contains("not_equals"); other && same(*other)) fail();
        if (const bj::value* null = step.if_contains("null");
            null && actual.is_null() != null->as_bool())
            fail();
        if (const bj::value* size = step.if_contains("size");
            size && actual.as_array().size() != size->to_number<std::size_t>())
            fail();
    }

    OperatonStage stage_;
    std::map<std::string, bj::value> results_;
};

// Empty: passed.
std::string judge(const bj::object& json, const Arguments& arguments) {
    try {
        Play play(arguments.folder, arguments.manner);
        play.deploy(json.at("files").as_array());
        play.steps(json.at("steps").as_array());
        return "";
    } catch (const std::exception& problem) {
        return problem.what();
    }
}

int run(const Arguments& arguments) {
    std::ifstream lines(arguments.folder + "/cases.jsonl");
    if (!lines) {
        std::cerr << "suite operaton: no such file: " << arguments.folder << "/cases.jsonl\n";
        return 2;
    }
    Verdicts verdicts(arguments.known_failures);
    for (std::string line; std::getline(lines, line);) {
        const bj::value json = bj::parse(line);
        verdicts.add(std::string(json.at("id").as_string()), judge(json.as_object(), arguments));
    }
    return verdicts.end();
}

}  // namespace
}  // namespace holdfast::suite

int main(int argc, char** argv) {
    const auto arguments = holdfast::suite::read_arguments(argc, argv);
    if (!arguments.valid) {
        std::cerr << "usage: suite_operaton DIR KNOWN_FAILURES [--reload | --kill] [--twice]\n";
        return 2;
    }
    std::cout << std::unitbuf;
    return holdfast::suite::run(arguments);
}
