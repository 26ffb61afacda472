// holdfast sign-in: a link that signs a browser in once.
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

struct SignInFlags {
    ClientFlags server;
};

// Where the browser finds the server; the API says only the path.
ExitCode print_link(const SignInFlags& flags, ServerCalls& calls) {
    auto link = calls.post(client::Target({"sign-in-links"}).text());
    if (!link) return report(link.error());
    const std::string url = flags.server.server + text_of(*link, "path");
    if (flags.server.format != Format::text) {
        (*link)["url"] = url;
        print(flags.server.format, *link);
        return ExitCode::ok;
    }
    print_error("open this in a browser, once and within 10 minutes:");
    print_line(url);
    return ExitCode::ok;
}

}  // namespace

void add_sign_in(CLI::App& program, Action& chosen) {
    choose(*program.add_subcommand("sign-in",
                                   "Print a link that signs a browser in as the user of your key"),
           chosen, std::make_shared<SignInFlags>(), print_link);
}

}  // namespace holdfast::app
