// Webhooks: what happens is posted to a URL.
#include <boost/json.hpp>

#include "app/commands/choose.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

struct WebhookFlags {
    ClientFlags server;
    std::string id;
    std::string url;
    std::vector<std::string> kinds;
    std::optional<std::string> definition;
    std::optional<std::string> business_key;
    std::optional<std::string> workflow;
    std::optional<std::string> after;
    std::optional<std::size_t> limit;
    std::optional<std::string> cursor;
};

std::string webhook_line(const bj::object& webhook) {
    const std::string failure = text_of(webhook, "failure");
    const bj::value* refused = webhook.if_contains("refused");
    const std::size_t count = refused && refused->is_array() ? refused->get_array().size() : 0;
    return text_of(webhook, "id") + "  " + text_of(webhook, "status") + "  " +
           text_of(webhook, "url") + "  " + text_of(webhook, "count") + " posted, up to " +
           text_of(webhook, "delivered") +
           (count ? "  " + std::to_string(count) + " refused" : "") +
           (text_of(webhook, "status") == "failing" ? "  " + failure : "");
}

ExitCode print_webhook(const WebhookFlags& flags, const client::Answer<bj::object>& webhook) {
    if (!webhook) return report(webhook.error());
    if (flags.server.format == Format::text) {
        print_line(webhook_line(*webhook));
        const std::string key = text_of(*webhook, "key");
        if (!key.empty()) print_line("key " + key + " (checks signatures; it is shown once)");
    } else {
        print(flags.server.format, *webhook);
    }
    return ExitCode::ok;
}

ExitCode create_webhook(const WebhookFlags& flags, ServerCalls& calls) {
    bj::object body{{"url", flags.url}};
    if (!flags.kinds.empty()) body["kinds"] = bj::array(flags.kinds.begin(), flags.kinds.end());
    for (const auto& [name, value] : {std::pair{"definition", flags.definition},
                                      {"businessKey", flags.business_key},
                                      {"workflow", flags.workflow},
                                      {"after", flags.after}})
        if (value) body[name] = *value;
    return print_webhook(flags, calls.post(client::Target({"webhooks"}).text(), body));
}

ExitCode list_webhooks(const WebhookFlags& flags, ServerCalls& calls) {
    client::Target target({"webhooks"});
    target.with_any("limit", flags.limit).with_any("cursor", flags.cursor);
    const auto page = calls.get(std::move(target).text());
    if (!page) return report(page.error());
    return print_page(*page, flags.server.format, webhook_line);
}

ExitCode show_webhook(const WebhookFlags& flags, ServerCalls& calls) {
    return print_webhook(flags, calls.get(client::Target({"webhooks", flags.id}).text()));
}

ExitCode redeliver_webhook(const WebhookFlags& flags, ServerCalls& calls) {
    return print_webhook(flags,
                         calls.post(client::Target({"webhooks", flags.id, "redeliver"}).text()));
}

ExitCode discard_refused(const WebhookFlags& flags, ServerCalls& calls) {
    return print_webhook(flags,
                         calls.post(client::Target({"webhooks", flags.id, "discard"}).text()));
}

ExitCode ping_webhook(const WebhookFlags& flags, ServerCalls& calls) {
    const auto done = calls.post(client::Target({"webhooks", flags.id, "ping"}).text());
    if (!done) return report(done.error());
    const bool taken = text_of(*done, "taken") == "true";
    if (flags.server.format != Format::text)
        print(flags.server.format, *done);
    else
        print_line(taken ? "taken: it answered " + text_of(*done, "answered")
                         : "not taken: " + text_of(*done, "why"));
    return taken ? ExitCode::ok : ExitCode::failed;
}

ExitCode pause_webhook(const WebhookFlags& flags, ServerCalls& calls) {
    return print_webhook(flags, calls.post(client::Target({"webhooks", flags.id, "pause"}).text()));
}

ExitCode resume_webhook(const WebhookFlags& flags, ServerCalls& calls) {
    return print_webhook(flags,
                         calls.post(client::Target({"webhooks", flags.id, "resume"}).text()));
}

ExitCode remove_webhook(const WebhookFlags& flags, ServerCalls& calls) {
    const auto removed = calls.remove(client::Target({"webhooks", flags.id}).text());
    if (!removed) return report(removed.error());
    if (flags.server.format == Format::text) print_line("removed " + flags.id);
    return ExitCode::ok;
}

}  // namespace

void add_webhooks(CLI::App& program, Action& chosen) {
    CLI::App* webhooks = program.add_subcommand("webhooks", "Post what happens to a URL");
    webhooks->require_subcommand(1);
    auto flags = std::make_shared<WebhookFlags>();
    CLI::App* command = webhooks->add_subcommand("create", "Post what happens from now on");
    command->add_option("url", flags->url, "http://host[:port]/path")->required();
    command
        ->add_option("--kind", flags->kinds,
                     "workflow, incident, task, deadLetter or deadEvent; repeatable")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--definition", flags->definition, "Only of this definition");
    command->add_option("--business-key", flags->business_key, "Only of this business key");
    command->add_option("--workflow", flags->workflow, "Only of this workflow");
    command->add_option("--after", flags->after, "From this position of the stream on");
    choose(*command, chosen, flags, create_webhook);
    auto listed = std::make_shared<WebhookFlags>();
    CLI::App* listing = webhooks->add_subcommand("list", "List webhooks, newest first");
    listing->add_option("--limit", listed->limit, "Webhooks per page");
    listing->add_option("--cursor", listed->cursor, "Cursor of the previous page");
    choose(*listing, chosen, listed, list_webhooks);
    const auto add = [&](const char* name, const char* help, auto work) {
        auto its = std::make_shared<WebhookFlags>();
        CLI::App* one = webhooks->add_subcommand(name, help);
        one->add_option("id", its->id, "Id of the webhook")->required();
        choose(*one, chosen, its, work);
    };
    add("show", "Show how far a webhook is", show_webhook);
    add("ping", "Post a signed message without records, and say what came of it", ping_webhook);
    add("pause", "Let it rest; it goes on where it was", pause_webhook);
    add("resume", "Let it go on", resume_webhook);
    add("redeliver", "Post again what its receiver refused", redeliver_webhook);
    add("discard", "Forget what its receiver refused", discard_refused);
    add("remove", "End a webhook", remove_webhook);
}

}  // namespace holdfast::app
