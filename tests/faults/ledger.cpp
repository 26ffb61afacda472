#include "faults/ledger.h"

#include <algorithm>

namespace holdfast::testing {
namespace {

constexpr std::size_t most_complaints = 5;

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

struct Name {
    Action action;
    std::string key;

    auto operator<=>(const Name&) const = default;
};

// The outcomes of all attempts of one request.
struct Attempts {
    std::size_t done = 0, refused = 0, unknown = 0;
    std::vector<Version> versions;
};

// Compares one relay.
class Comparison {
public:
    Comparison(const Relay& relay, const RelayFacts& facts, Findings& findings)
        : relay_(relay), facts_(facts), findings_(findings) {}

    void add(const Call& call) {
        Attempts& attempts = attempts_[{call.action, call.key}];
        attempts.done += call.told == Told::done;
        attempts.refused += call.told == Told::refused;
        attempts.unknown += call.told == Told::unknown;
        if (call.version) attempts.versions.push_back(*call.version);
    }

    void compare() {
        for (const std::string& what : facts_.wrong) findings_.broken.push_back(what);
        if (facts_.ids.size() > 1) add_finding(findings_.doubled, "was started more than once");
        read_rows();
        for (const auto& [name, attempts] : attempts_) compare_attempts(name, attempts);
        for (const auto& [name, versions] : stored_) compare_stored(name, versions);
        const bool ended = stored_.contains({Action::complete, ""});
        if (!ended || facts_.status != "succeeded") {
            const Attempts& attempts = attempts_[{Action::complete, ""}];
            if (attempts.done == 0)
                add_finding(findings_.stuck, "is " + facts_.status + ", not ended");
        }
    }

private:
    void add_finding(std::vector<std::string>& list, const std::string& what) const {
        list.push_back(relay_.key + " " + relay_.id + ": " + what);
    }
    static std::string text_of(const Name& name) {
        return std::string(name_of(name.action)) + " " + name.key;
    }

    void read_rows() {
        std::map<std::uint64_t, int> delivered;
        std::map<std::uint64_t, Moment> suspended;
        for (const RowFact& row : facts_.rows) {
            if (const auto name = name_of_row(row)) stored_[*name].push_back(row.version);
            if (row.type == HistoryType::suspended) suspended[row.index.value_or(0)] = row.at;
            if (row.type != HistoryType::delivered) continue;
            const std::uint64_t index = row.index.value_or(0);
            if (++delivered[index] == 2)
                add_finding(findings_.doubled, "a wait ended twice at " + std::to_string(index));
            if (row.due) compare_timer(row, suspended);
        }
    }

    void compare_timer(const RowFact& row, const std::map<std::uint64_t, Moment>& suspended) const {
        const std::uint64_t index = row.index.value_or(0);
        const std::string what = "the timer at " + std::to_string(index);
        if (row.at < *row.due) add_finding(findings_.otherwise, what + " fired early");
        const auto armed = suspended.find(index);
        const auto wanted = relay_.timers.find(index);
        if (armed == suspended.end() || wanted == relay_.timers.end()) return;
        if (*row.due < armed->second + wanted->second)
            add_finding(findings_.otherwise, what + " was due too early");
    }

    std::optional<Name> name_of_row(const RowFact& row) const {
        const std::string index = std::to_string(row.index.value_or(0));
        switch (row.type) {
            case HistoryType::started: return Name{Action::start, relay_.key};
            case HistoryType::suspended: return Name{Action::wait, index};
            case HistoryType::step_recorded: return Name{Action::step, index};
            case HistoryType::state_changed: return Name{Action::edit, row.key};
            case HistoryType::succeeded: return Name{Action::complete, ""};
            case HistoryType::delivered:
                if (row.due) return std::nullopt;
                return Name{Action::send, row.key};
            default: return Name{Action::edit, std::string(holdfast::name_of(row.type))};
        }
    }

    bool is_stored(const Name& name) const {
        if (stored_.contains(name)) return true;
        // A wait whose event was already queued ends without a suspended row.
        if (name.action != Action::wait) return false;
        return std::ranges::any_of(facts_.rows, [&](const RowFact& row) {
            return row.type == HistoryType::delivered &&
                   std::to_string(row.index.value_or(0)) == name.key;
        });
    }

    void compare_attempts(const Name& name, const Attempts& attempts) const {
        const bool stored = is_stored(name);
        // An event that waits in the queue of a stuck workflow is not lost.
        const bool may_wait =
            name.action == Action::send && !stored_.contains({Action::complete, ""});
        if (attempts.done > 0 && !stored && !may_wait)
            add_finding(findings_.lost, text_of(name) + " was acknowledged but is not stored");
        if (attempts.done == 0 && attempts.unknown == 0 && stored)
            add_finding(findings_.otherwise, text_of(name) + " is stored although it was refused");
        const auto found = stored_.find(name);
        if (found == stored_.end()) return;
        for (const Version version : attempts.versions)
            if (std::ranges::find(found->second, version) == found->second.end())
                add_finding(findings_.lost, text_of(name) + " was acknowledged as version " +
                                                std::to_string(version) + " but stored as another");
    }

    void compare_stored(const Name& name, const std::vector<Version>& versions) const {
        if (versions.size() > 1) add_finding(findings_.doubled, text_of(name) + " is stored twice");
        const bool own = relay_.by_nodes && name.action != Action::start &&
                         name.action != Action::send && name.action != Action::edit;
        if (!own && !attempts_.contains(name))
            add_finding(findings_.otherwise, text_of(name) + " is stored but was never requested");
    }

    const Relay& relay_;
    const RelayFacts& facts_;
    Findings& findings_;
    std::map<Name, Attempts> attempts_;
    std::map<Name, std::vector<Version>> stored_;
};

}  // namespace

const char* name_of(Action action) {
    switch (action) {
        case Action::start: return "start";
        case Action::wait: return "wait";
        case Action::send: return "event";
        case Action::step: return "step";
        case Action::edit: return "edit";
        case Action::complete: return "end";
    }
    return "";
}

Findings& Findings::operator+=(const Findings& more) {
    acknowledged += more.acknowledged;
    unknown += more.unknown;
    relays += more.relays;
    append(lost, more.lost);
    append(doubled, more.doubled);
    append(stuck, more.stuck);
    append(broken, more.broken);
    append(otherwise, more.otherwise);
    return *this;
}

std::string Findings::complaints() const {
    const std::pair<const char*, const std::vector<std::string>*> lists[] = {
        {"lost", &lost},
        {"doubled", &doubled},
        {"stuck", &stuck},
        {"broken", &broken},
        {"otherwise", &otherwise}};
    std::string text;
    for (const auto& [kind, list] : lists)
        for (std::size_t i = 0; i < std::min(list->size(), most_complaints); ++i)
            text += "  " + std::string(kind) + ": " + (*list)[i] + '\n';
    return text;
}

Findings check(const Ledger& ledger, const std::vector<RelayFacts>& facts) {
    Findings findings;
    findings.relays = ledger.relays.size();
    findings.otherwise = ledger.unexpected;
    std::vector<Comparison> comparisons;
    comparisons.reserve(ledger.relays.size());
    for (std::size_t i = 0; i < ledger.relays.size(); ++i)
        comparisons.emplace_back(ledger.relays[i], facts[i], findings);
    for (const Call& call : ledger.calls) {
        findings.acknowledged += call.told == Told::done;
        findings.unknown += call.told == Told::unknown;
        comparisons[call.relay].add(call);
    }
    for (Comparison& comparison : comparisons) comparison.compare();
    return findings;
}

}  // namespace holdfast::testing
