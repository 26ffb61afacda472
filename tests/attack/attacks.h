// What a hostile or careless client can do to a server. Each attack prepares its data, then goes on
// until it is stopped; the answers that it gets must be those that bound it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace holdfast::testing {

// Between two requests of an attacker that are refused or answered at once: an attack is about what
// its requests cost the server, not about how many of them one machine can send.
constexpr std::chrono::milliseconds attack_pace{2};

// The server under attack, and what was wrong with its answers.
class Victim {
public:
    explicit Victim(std::string url);

    const std::string& url() const { return url_; }
    std::uint16_t port() const;

    void wrong(std::string what);
    // Notes an answer other than those that are expected, with what it says. 0: there was none.
    void expect(const std::string& what, int status, std::initializer_list<int> allowed,
                const std::string& body = {});
    std::vector<std::string> complaints();
    // Requests of the attackers that were answered, or given up by them.
    void count(std::uint64_t requests) { requests_ += requests; }
    const std::atomic<std::uint64_t>& requests() const { return requests_; }

private:
    const std::string url_;
    std::mutex mutex_;
    std::vector<std::string> complaints_;
    std::atomic<std::uint64_t> requests_ = 0;
};

struct Attack {
    std::string name;
    std::function<void(Victim&)> prepare;
    // One attacker; several run at a time. Returns soon after `stop`.
    std::function<void(Victim&, std::stop_token)> run;
    int attackers = 4;
    // While a request of the others is answered: so many of each attacker's at most. Fewer of those
    // that make the server work long.
    std::uint64_t most_overtaking = 1'000;
};

// All of them, in the order in which a campaign runs them.
const std::vector<Attack>& all_attacks();

// Parts of the list.
std::vector<Attack> costly_attacks();  // work, bytes and slots
std::vector<Attack> forged_attacks();  // requests that must be refused

}  // namespace holdfast::testing
