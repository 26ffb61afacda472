#include <CLI/CLI.hpp>
#include <iostream>

#include "app/commands/client_flags.h"
#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "base/time/clock.h"
#include "feel/builtins/reference.h"
#include "feel/evaluate.h"
#include "feel/values/json.h"

namespace holdfast::app {
namespace {

struct FeelFlags {
    std::string expression;
    std::optional<std::string> context;
    bool reference = false;
};

Result<boost::json::object> variables(const FeelFlags& flags) {
    HF_TRY(auto given, json_argument("--context", flags.context));
    if (!given) return boost::json::object{};
    if (!given->is_object())
        return fail(ErrorCode::invalid_argument, "--context must be a JSON object");
    return std::move(given->get_object());
}

// An exceeded budget leaves no result. Any other trouble is a note only: the null may be intended.
ExitCode evaluate(const FeelFlags& flags) {
    const auto context = variables(flags);
    if (!context) return report(context.error());
    const auto expression = feel::parse(flags.expression, {.names = feel::names_in(*context)});
    if (!expression) return report(expression.error());
    const feel::Settings settings{.now = SystemClock().now()};
    const auto result = feel::evaluate(*expression, feel::Scope(*context), settings);
    if (result.trouble && result.trouble->is_budget()) {
        print_error("holdfast: " + result.trouble->message);
        return ExitCode::failed;
    }
    const auto json = feel::to_json(result.value);
    if (!json) {
        print_error("holdfast: " + json.error().message);
        return ExitCode::failed;
    }
    print_line(json::readable(*json));
    if (result.trouble)
        print_error("note: " + result.trouble->message + " (at offset " +
                    std::to_string(result.trouble->offset) + ")");
    return ExitCode::ok;
}

ExitCode run(const FeelFlags& flags) {
    if (flags.reference) {
        std::cout << feel::reference_page();
        return ExitCode::ok;
    }
    if (!flags.expression.empty()) return evaluate(flags);
    print_error("holdfast: missing expression; for example: holdfast feel '1 + 2'");
    return ExitCode::usage;
}

}  // namespace

void add_feel(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<FeelFlags>();
    CLI::App* command = program.add_subcommand("feel", "Evaluate a FEEL expression");
    command->add_option("expression", flags->expression, "FEEL expression");
    command->add_option("--context", flags->context, "Variables, a JSON object: JSON, @FILE or -");
    command->add_flag("--reference", flags->reference, "Print the FEEL reference");
    command->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace holdfast::app
