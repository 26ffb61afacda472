// Migration: an open instance goes over to another version of its definition. The report says what
// becomes of everything that is active, or what stands against it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

// An element of the version that an instance has, and what it is in the other version.
struct MappedElement {
    std::string from;
    std::string to;

    bool operator==(const MappedElement&) const = default;
    static void describe(auto& mapped, auto& with) {
        with("from", mapped.from);
        with("to", mapped.to);
    }
};

// Counted by element: a process may have thousands of tokens, its model has not.
struct MigrationReport {
    // Activities, tokens and waits that go on.
    struct Carried {
        std::string from;
        std::string to;
        std::uint64_t count = 0;

        bool operator==(const Carried&) const = default;
        static void describe(auto& carried, auto& with) {
            with("from", carried.from);
            with("to", carried.to);
            with("count", carried.count);
        }
    };
    // Waits that only one of the versions has.
    struct Counted {
        std::string element;
        std::uint64_t count = 0;

        bool operator==(const Counted&) const = default;
        static void describe(auto& counted, auto& with) {
            with("element", counted.element);
            with("count", counted.count);
        }
    };
    struct Problem {
        std::string element;  // empty: of the instance as a whole
        std::string why;

        bool operator==(const Problem&) const = default;
        static void describe(auto& problem, auto& with) {
            with("element", problem.element);
            with("why", problem.why);
        }
    };

    std::vector<Carried> carried;
    std::vector<Counted> begun;
    std::vector<Counted> ended;
    std::vector<Problem> problems;  // any: nothing is migrated

    bool operator==(const MigrationReport&) const = default;
    static void describe(auto& report, auto& with) {
        with("carried", report.carried);
        with("begun", report.begun);
        with("ended", report.ended);
        with("problems", report.problems);
    }

    void carry(const std::string& from, const std::string& to) {
        const auto found = std::ranges::find_if(
            carried, [&](const Carried& one) { return one.from == from && one.to == to; });
        if (found == carried.end())
            carried.push_back({from, to, 1});
        else
            ++found->count;
    }
    static void count(std::vector<Counted>& list, const std::string& element) {
        const auto found = std::ranges::find(list, element, &Counted::element);
        if (found == list.end())
            list.push_back({element, 1});
        else
            ++found->count;
    }
    void blame(const std::string& element, std::string why) {
        Problem problem{element, std::move(why)};
        if (std::ranges::find(problems, problem) == problems.end())
            problems.push_back(std::move(problem));
    }
};

}  // namespace holdfast
