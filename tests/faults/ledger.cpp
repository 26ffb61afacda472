#include "faults/ledger.h"

#include <algorithm>

namespace holdfast::testing {
namespace {

constexpr std::size_t most_complaints = 5;

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

struct Name {
    Deed deed;
    std::string key;

    auto operator<=>(const Name&) const = default;
};

// What was asked for under one name, over all its attempts.
struct Asked {
    std::size_t done = 0, refused = 0, unknown = 0;
    std::vector<Version> versions;
};

// Compares one relay.
class Comparison {
public:
    Comparison(const Relay& relay, const RelayFacts& facts, Findings& findings)
        : relay_(relay), facts_(facts), findings_(findings) {}

    void add(const Call& call) {
        Asked& asked = asked_[{call.deed, call.key}];
        asked.done += call.told == Told::done;
        asked.refused += call.told == Told::refused;
        asked.unknown += call.told == Told::unknown;
        if (call.version) asked.versions.push_back(*call.version);
    }

    void compare() {
        for (const std::string& what : facts_.wrong) findings_.broken.push_back(what);
        if (facts_.ids.size() > 1) blame(findings_.doubled, "was started more than once");
        read_rows();
        for (const auto& [name, asked] : asked_) compare_asked(name, asked);
        for (const auto& [name, versions] : there_) compare_there(name, versions);
        const bool ended = there_.contains({Deed::complete, ""});
        if (!ended || facts_.status != "succeeded") {
            const Asked& asked = asked_[{Deed::complete, ""}];
            if (asked.done == 0) blame(findings_.stuck, "is " + facts_.status + ", not at its end");
        }
    }

private:
    void blame(std::vector<std::string>& list, const std::string& what) const {
        list.push_back(relay_.key + " " + relay_.id + ": " + what);
    }
    static std::string text_of(const Name& name) {
        return std::string(name_of(name.deed)) + " " + name.key;
    }

    void read_rows() {
        std::map<std::uint64_t, int> delivered;
        std::map<std::uint64_t, Moment> suspended;
        for (const RowFact& row : facts_.rows) {
            if (const auto name = name_of_row(row)) there_[*name].push_back(row.version);
            if (row.type == HistoryType::suspended) suspended[row.index.value_or(0)] = row.at;
            if (row.type != HistoryType::delivered) continue;
            const std::uint64_t index = row.index.value_or(0);
            if (++delivered[index] == 2)
                blame(findings_.doubled, "a wait ended twice at " + std::to_string(index));
            if (row.due) compare_timer(row, suspended);
        }
    }

    void compare_timer(const RowFact& row, const std::map<std::uint64_t, Moment>& suspended) const {
        const std::uint64_t index = row.index.value_or(0);
        const std::string what = "the timer at " + std::to_string(index);
        if (row.at < *row.due) blame(findings_.otherwise, what + " fired early");
        const auto armed = suspended.find(index);
        const auto wanted = relay_.timers.find(index);
        if (armed == suspended.end() || wanted == relay_.timers.end()) return;
        if (*row.due < armed->second + wanted->second)
            blame(findings_.otherwise, what + " was due too early");
    }

    std::optional<Name> name_of_row(const RowFact& row) const {
        const std::string index = std::to_string(row.index.value_or(0));
        switch (row.type) {
            case HistoryType::started: return Name{Deed::start, relay_.key};
            case HistoryType::suspended: return Name{Deed::wait, index};
            case HistoryType::step_recorded: return Name{Deed::step, index};
            case HistoryType::state_changed: return Name{Deed::edit, row.key};
            case HistoryType::succeeded: return Name{Deed::complete, ""};
            case HistoryType::delivered:
                if (row.due) return std::nullopt;
                return Name{Deed::send, row.key};
            default: return Name{Deed::edit, std::string(holdfast::name_of(row.type))};
        }
    }

    bool is_there(const Name& name) const {
        if (there_.contains(name)) return true;
        // A wait that found its event was over before anything was suspended.
        if (name.deed != Deed::wait) return false;
        return std::ranges::any_of(facts_.rows, [&](const RowFact& row) {
            return row.type == HistoryType::delivered &&
                   std::to_string(row.index.value_or(0)) == name.key;
        });
    }

    void compare_asked(const Name& name, const Asked& asked) const {
        const bool there = is_there(name);
        // An event that waits in the queue of a stuck workflow is not lost.
        const bool may_wait = name.deed == Deed::send && !there_.contains({Deed::complete, ""});
        if (asked.done > 0 && !there && !may_wait)
            blame(findings_.lost, text_of(name) + " was acknowledged and is not there");
        if (asked.done == 0 && asked.unknown == 0 && there)
            blame(findings_.otherwise, text_of(name) + " is there although it was refused");
        const auto found = there_.find(name);
        if (found == there_.end()) return;
        for (const Version version : asked.versions)
            if (std::ranges::find(found->second, version) == found->second.end())
                blame(findings_.lost, text_of(name) + " was acknowledged as version " +
                                          std::to_string(version) + " and is another");
    }

    void compare_there(const Name& name, const std::vector<Version>& versions) const {
        if (versions.size() > 1) blame(findings_.doubled, text_of(name) + " is there twice");
        const bool own = relay_.by_nodes && name.deed != Deed::start && name.deed != Deed::send &&
                         name.deed != Deed::edit;
        if (!own && !asked_.contains(name))
            blame(findings_.otherwise, text_of(name) + " is there and nobody asked for it");
    }

    const Relay& relay_;
    const RelayFacts& facts_;
    Findings& findings_;
    std::map<Name, Asked> asked_;
    std::map<Name, std::vector<Version>> there_;
};

}  // namespace

const char* name_of(Deed deed) {
    switch (deed) {
        case Deed::start: return "start";
        case Deed::wait: return "wait";
        case Deed::send: return "event";
        case Deed::step: return "step";
        case Deed::edit: return "edit";
        case Deed::complete: return "end";
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
    findings.otherwise = ledger.odd;
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
