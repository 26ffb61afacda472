// A node: runs flows durably on a store, inside of this process.
//
//     holdfast::Node node{"sqlite:orders.db"};
//     node.add("checkout", checkout);
//     const std::string id = node.start("checkout", order, StartOptions{.key = order.id});
//     const Receipt receipt = node.result<Receipt>(id);
#pragma once

#include <memory>

#include "holdfast/workflows.h"

namespace holdfast {

struct NodeOptions {
    std::string store;              // "memory:", "sqlite:PATH" or "postgres://..."
    std::string name = {};          // empty: made of host name and process id
    std::size_t workers = 16;       // threads that run steps and flows
    std::size_t most_live = 2'048;  // flows kept in memory while they wait; the others replay
    // How often a workflow may be taken up without getting anywhere, because the process dies,
    // before it is put aside for somebody to look at; at most 1,000.
    std::uint32_t most_attempts = 20;
    // On a store that several nodes share: how long after its death others take over its work.
    std::chrono::seconds lease = std::chrono::seconds(10);
    std::string log_level = "warn";  // debug, info, warn, error or off
    std::string token = {};          // that HTTP clients must show; needed beyond loopback
};

// Safe from any thread, once the flows are added.
class Node final : public Workflows {
public:
    explicit Node(std::string store);
    explicit Node(NodeOptions options);
    ~Node() override;

    // Opens the store and begins to work. The first use does it by itself. Throws Unavailable.
    void open();
    // Serves HTTP on "127.0.0.1:8080" or the like, port 0: any free one. Gives the URL.
    std::string serve(const std::string& address);
    // Lets running steps end, and stops. What is not finished goes on with the next node.
    void stop();

    bool cancel(const std::string& id, const std::string& reason = {}) override;
    std::string status(const std::string& id) override;
    std::vector<HistoryEntry> history(const std::string& id) override;
    std::vector<OpenTask> open_tasks(const std::string& id) override;
    void complete_task(const std::string& task, const Actor& actor, const Json& outputs) override;
    void fail_task(const std::string& task, const Actor& actor, const Json& error) override;
    std::vector<Divergence> check() override;

    // How many flows are in memory right now.
    std::size_t live() const;
    // Forgets those that wait, and gives free memory back to the system; they replay when they
    // wake.
    void evict();

protected:
    void add_code(flow::Code code) override;
    std::string start_flow(const std::string& flow, const Json& arguments,
                           const StartOptions& options) override;
    Json wait_for_result(const std::string& id) override;
    Sent send_event(const std::string* id, const std::string& event, const Json& value) override;
    Json read_state(const std::string& id) override;
    std::string flow_of(const std::string& id) override;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace holdfast
