// The kinds of programs: each compiles the source of a definition into a program.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/definition.h"
#include "program/program.h"

namespace holdfast {

inline constexpr std::string_view outside_kind = "outside";
inline constexpr std::string_view flow_kind = "flow";      // its code is in nodes
inline constexpr std::string_view worker_kind = "worker";  // its code is in workers outside

// Whether workers outside may have leases on instances of the definition.
bool is_for_workers(const Definition& definition);

// Whether its instances are schedules.
bool is_for_schedules(const Definition& definition);

// Whether its instances are limiters.
bool is_for_limiters(const Definition& definition);

// A kind that needs no source: whoever defines it says who moves its instances on.
struct RunnerKind {
    std::string_view kind;
    std::shared_ptr<const Program> program;  // null: it needs none

    bool is_of(const Definition& definition) const { return definition.kind == kind; }
};
// Absent: nobody may choose it.
std::optional<RunnerKind> runner_kind(std::string_view runner);

// An instance may have been written under a definition that nobody has put.
const Program& program_without_definition(const Instance& instance);

class ProgramKinds {
public:
    using Compile =
        std::function<Result<std::shared_ptr<const Program>>(const Definition& definition)>;

    // All that this process knows. To add a kind, add its folder and one line in kinds.cpp; a
    // kind of the tests is added before any store is opened.
    static ProgramKinds& known();

    void add(std::string kind, Compile compile);
    // corrupt: no such kind, or the source does not compile.
    Result<std::shared_ptr<const Program>> compile(const Definition& definition) const;

private:
    std::map<std::string, Compile, std::less<>> kinds_;
};

}  // namespace holdfast
